import type { SendBase, WireMessage } from "@ashlar/context/provider";
import { Relay } from "./relay.js";

/** Reads the body itself: `_frames` says how the bytes become frames. */
export abstract class OwnReader extends Relay {
  #frames: AsyncIterator<unknown> | undefined;

  protected abstract _frames(body: AsyncIterable<Uint8Array>): AsyncIterable<unknown>;

  override async send([headers, body]: WireMessage, base: SendBase): Promise<undefined> {
    const response = await base({ url: `${this._url}/chat`, headers, body });
    this.#frames = this._frames(response.body)[Symbol.asyncIterator]();
  }

  async read(): Promise<unknown> {
    const next = await this.#frames?.next();
    return next === undefined || next.done === true ? null : next.value;
  }
}

/** The lines of a body, as a reader that does everything right cuts them. */
export async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of body) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines.filter((line) => line.trim() !== "");
  }
  if (rest.trim() !== "") yield rest;
}
