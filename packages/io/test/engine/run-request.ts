import { messageUser, type ResponseEvent, type TerminalEvent } from "@ashlar/context";
import { type ConnectOptions, connect, IO, type IOOptions, type RequestOptions } from "@ashlar/io";
import { LineProvider } from "./line-provider.js";

export interface Ran {
  readonly events: readonly ResponseEvent[];
  readonly terminal: TerminalEvent;
  /** All text deltas, joined. */
  readonly text: string;
}

export const hello = [messageUser("hello")];

export function lineIO(url: string, options: IOOptions = {}, more: Partial<ConnectOptions> = {}): IO {
  return new IO(connect(LineProvider, { url, model: "m", endpoint: "e", ...more }), options);
}

/** Runs one request and keeps its events. */
export async function run(io: IO, options?: RequestOptions): Promise<Ran> {
  const events: ResponseEvent[] = [];
  const terminal = await io.write(hello, (event) => events.push(event), options);
  const text = events.map((event) => (event.type === "text_delta" ? event.text : "")).join("");
  return { events, terminal, text };
}

/** Text of the assembled message. */
export function messageText({ message }: TerminalEvent): string {
  return (message?.content ?? []).map((block) => (block.type === "text" ? block.text : "")).join("");
}
