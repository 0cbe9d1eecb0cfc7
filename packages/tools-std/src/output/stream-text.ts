import { ByteDecoder } from "./byte-decoder.js";
import { HeadTail } from "./head-tail.js";
import { TerminalText } from "./terminal-text.js";

/** One output stream of a command, as a model reads it: bounded, without terminal noise, losses counted. */
export class StreamText {
  readonly #name: string;
  readonly #decoder = new ByteDecoder();
  readonly #terminal = new TerminalText();
  readonly #kept: HeadTail;
  #bytes = 0;

  constructor(name: string, length: number) {
    this.#name = name;
    this.#kept = new HeadTail(length);
  }

  /** Returns the text that is final now, for whoever watches. */
  push(bytes: Uint8Array): string {
    this.#bytes += bytes.byteLength;
    return this.#keep(this.#terminal.push(this.#decoder.push(bytes)));
  }

  /** Nothing comes any more. */
  end(): string {
    return this.#keep(this.#terminal.push(this.#decoder.end()) + this.#terminal.end());
  }

  get text(): string {
    return this.#kept.render();
  }

  /** What the text does not show as it was printed, one sentence each. */
  get notes(): readonly string[] {
    const { dropped } = this.#kept;
    const { invalid } = this.#decoder;
    const { nul, rewritten } = this.#terminal;
    const name = this.#name;
    return [
      ...(dropped === 0
        ? []
        : [
            `${name}: ${this.#bytes} bytes; ${dropped} characters in the middle are left out and kept nowhere. To see them, send the output to a file (command > file) and read that in parts.`,
          ]),
      ...(invalid === 0 ? [] : [`${name}: bytes that are not UTF-8 are shown as \ufffd (${invalid}).`]),
      ...(nul ? [`${name}: NUL bytes are shown as \u2400.`] : []),
      ...(rewritten === 0
        ? []
        : [`${name}: lines that were rewritten in place are shown as they ended (${rewritten} rewrites).`]),
    ];
  }

  #keep(text: string): string {
    this.#kept.push(text);
    return text;
  }
}
