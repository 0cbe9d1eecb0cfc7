import { Socket } from "node:net";
import { pathToFileURL } from "node:url";
import { DESCRIPTOR } from "../descriptor.js";
import { encodeMessage } from "../frames/frame.js";
import { FrameReader } from "../frames/frame-reader.js";
import type { WorkerChannel } from "../worker-channel.js";
import { tell, writeLine } from "./inside-wire.js";

interface ModuleRequest {
  readonly module: string;
  readonly maxLineBytes: number;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Our own start had no environment; from here on it is the policy's. */
function setEnvironment(environment: Readonly<Record<string, string>>): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, environment);
}

/** Hands values over in order; those that nobody listens to yet wait. */
class Inbox {
  readonly #waiting: unknown[] = [];
  readonly #listeners: ((value: unknown) => void)[] = [];

  deliver(value: unknown): void {
    if (this.#listeners.length === 0) this.#waiting.push(value);
    for (const listener of this.#listeners) listener(value);
  }

  listen(listener: (value: unknown) => void): void {
    this.#listeners.push(listener);
    for (const value of this.#waiting.splice(0)) listener(value);
  }
}

function openChannel(maxLineBytes: number): WorkerChannel {
  const inbox = new Inbox();
  const reader = new FrameReader(maxLineBytes);
  const socket = new Socket({ fd: DESCRIPTOR.toInside, readable: true, writable: false });
  socket.on("data", (chunk: Uint8Array) => {
    for (const frame of reader.push(chunk)) {
      // The host is ours: a line that is no frame cannot come from it.
      if (
        "value" in frame &&
        typeof frame.value === "object" &&
        frame.value !== null &&
        "value" in frame.value
      )
        inbox.deliver(frame.value.value);
    }
  });
  socket.on("error", () => process.exit(0));
  socket.on("end", () => process.exit(0));
  return {
    send: (value) => {
      const line = encodeMessage(value);
      if (!line) throw new TypeError("JSON cannot hold this value");
      if (line.length > maxLineBytes)
        throw new TypeError(`the message has ${line.length} bytes; at most ${maxLineBytes} may be sent`);
      writeLine(line);
    },
    onMessage: (listener) => inbox.listen(listener),
  };
}

const isFunction = (value: unknown): value is (channel: WorkerChannel) => unknown =>
  typeof value === "function";

/** Loads the module and calls its default export with the channel. What either throws ends the process. */
export async function runModule(request: ModuleRequest): Promise<void> {
  setEnvironment(request.environment);
  process.chdir(request.cwd);
  process.argv.splice(1, process.argv.length, request.module);
  process.on("exit", (code) => tell({ kind: "exit", code, signal: null }));
  const channel = openChannel(request.maxLineBytes);
  const loaded: { readonly default?: unknown } = await import(pathToFileURL(request.module).href);
  if (!isFunction(loaded.default))
    throw new TypeError(`${request.module} has no default export that is a function`);
  tell({ kind: "loaded" });
  await loaded.default(channel);
}
