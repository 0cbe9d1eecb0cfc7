import type { TerminalEvent } from "@ashlar/context";
import type { WireContext, WireResponse } from "@ashlar/context/provider";
import type { Clock } from "../clock.js";
import type { CompleteInstance } from "../complete-provider.js";
import { createFrameReader } from "../frames/create-frame-reader.js";
import { IOError } from "../io-error.js";
import type { Framing } from "../wire/wire.js";
import type { Interruption } from "./interruption.js";
import type { Receiver } from "./receiver.js";
import type { Watchdog } from "./watchdog.js";

export interface ReadOptions {
  readonly instance: CompleteInstance;
  readonly framing: Framing;
  readonly io: WireContext;
  readonly selector: string;
  readonly receiver: Receiver;
  readonly interruption: Interruption;
  readonly watchdog: Watchdog;
  readonly clock: Clock;
  /** Answers a promise while the reader of the events has enough. */
  readonly backpressure: () => Promise<void> | undefined;
}

/** What a finished body may still send, so that its connection can be kept for the next request. */
const LINGER_MS = 250;
const LINGER_CHUNKS = 16;

/** Reads a response to its terminal event with the built-in reader. Frames of a chunk are handled in one go. */
export async function readResponse(response: WireResponse, options: ReadOptions): Promise<TerminalEvent> {
  const { instance, framing, io, receiver, interruption } = options;
  const state: Record<string, unknown> = {};
  const reader = createFrameReader(framing, response.headers["content-type"] ?? "", (frame) =>
    receiver.take(instance.msg2events(frame, state, io)),
  );
  const chunks = response.body[Symbol.asyncIterator]();
  let left = false;
  try {
    for (let stopped = false; !stopped; ) {
      const chunk = await interruption.wait(chunks.next());
      if (chunk.done === true) {
        left = true;
        reader.end();
        break;
      }
      stopped = reader.push(chunk.value);
      if (!stopped) await afterChunk(options);
    }
    const terminal = terminalOf(options);
    if (!left) linger(chunks, options.clock);
    left = true;
    return terminal;
  } finally {
    if (!left) leave(chunks);
  }
}

/** Reads a response whose provider cuts the frames itself. */
export async function readFrames(read: () => Promise<unknown>, options: ReadOptions): Promise<TerminalEvent> {
  const { instance, io, receiver, interruption } = options;
  const state: Record<string, unknown> = {};
  for (;;) {
    const frame = (await interruption.wait(read())) ?? null;
    if (receiver.take(instance.msg2events(frame, state, io)) || frame === null) break;
    await afterChunk(options);
  }
  return terminalOf(options);
}

async function afterChunk({ receiver, watchdog, interruption, backpressure }: ReadOptions): Promise<void> {
  if (receiver.takeProgress()) watchdog.progress();
  const room = backpressure();
  if (room === undefined) return;
  watchdog.pause();
  await interruption.wait(room);
  watchdog.resume();
}

/** What ended the reading; a stop from outside counts more than what came with it. */
function terminalOf({ receiver, interruption, selector }: ReadOptions): TerminalEvent {
  if (interruption.reason !== undefined) throw interruption.reason;
  if (receiver.terminal !== undefined) return receiver.terminal;
  const text = `${selector}: the response ended before the model had finished.`;
  throw new IOError("network", text, { code: "torn" });
}

/** Gives up the body, which closes its socket. Waits for nothing: a body may hang. */
function leave(chunks: AsyncIterator<Uint8Array>): void {
  const close = async (): Promise<void> => {
    await chunks.return?.();
  };
  // The request has its outcome; how its body ends can change nothing.
  close().catch(() => undefined);
}

/** Reads what little follows the terminal event, in the background and bounded, instead of closing the socket. */
function linger(chunks: AsyncIterator<Uint8Array>, clock: Clock): void {
  const cancel = clock.after(LINGER_MS, () => leave(chunks));
  const drain = async (): Promise<void> => {
    for (let left = LINGER_CHUNKS; left > 0; left--) if ((await chunks.next()).done === true) return;
    leave(chunks);
  };
  drain().then(cancel, cancel);
}
