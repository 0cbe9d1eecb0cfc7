/** Characters of an unfinished line that are held back, because the program may still rewrite them. */
const MAX_LINE = 8192;
/** A sequence longer than this is none; what follows is text again. */
const MAX_SEQUENCE = 4096;
// Every control character but tab and line feed.
const CONTROL = /(?![\t\n])\p{Cc}/gu;

type State = "text" | "escape" | "one more" | "control sequence" | "string" | "string escape";

/**
 * The text that a terminal would show, from text with escape sequences, progress lines and backspaces. Takes it in any
 * pieces; what is finished comes back, the line that may still change is held.
 */
export class TerminalText {
  #state: State = "text";
  #sequence = "";
  #line = "";
  /** The cursor stands at the start of a line that has something in it. */
  #returned = false;
  /** The beginning of the line was given out already. */
  #flushed = false;
  #rewritten = 0;
  #nul = false;

  /** How many times a line was written over. */
  get rewritten(): number {
    return this.#rewritten;
  }

  /** NUL stands as U+2400 in the text. */
  get nul(): boolean {
    return this.#nul;
  }

  push(text: string): string {
    let done = "";
    let at = 0;
    while (at < text.length) {
      if (this.#state === "text") {
        CONTROL.lastIndex = at;
        const next = CONTROL.exec(text)?.index ?? text.length;
        if (next > at) done += this.#plain(text.slice(at, next));
        if (next < text.length) done += this.#control(text.charCodeAt(next));
        at = next + 1;
      } else if (this.#inSequence(text.charCodeAt(at))) at += 1;
    }
    return done;
  }

  /** The line that was held back. */
  end(): string {
    const line = this.#line;
    this.#line = "";
    return line;
  }

  #plain(run: string): string {
    const start = this.#overwrite(run);
    const text = this.#line + run;
    const end = text.lastIndexOf("\n") + 1;
    if (end > 0) this.#flushed = false;
    if (text.length - end <= MAX_LINE) {
      this.#line = text.slice(end);
      return start + text.slice(0, end);
    }
    this.#line = "";
    this.#flushed = true;
    return start + text;
  }

  /** After a carriage return the next character writes over the line, unless it ends it. */
  #overwrite(run: string): string {
    if (!this.#returned) return "";
    this.#returned = false;
    return run.startsWith("\n") ? "" : this.#dropLine();
  }

  #dropLine(): string {
    if (this.#line !== "") this.#rewritten += 1;
    this.#line = "";
    if (!this.#flushed) return "";
    this.#flushed = false;
    return "\n";
  }

  #control(code: number): string {
    switch (code) {
      case 0x1b:
        this.#enter("escape");
        return "";
      case 0x9b:
        this.#enter("control sequence");
        return "";
      case 0x90:
      case 0x98:
      case 0x9d:
      case 0x9e:
      case 0x9f:
        this.#enter("string");
        return "";
      case 0x0d:
        this.#returned = this.#line !== "" || this.#flushed;
        return "";
      case 0x08:
        this.#line = withoutLast(this.#line);
        return "";
      case 0x0b:
      case 0x0c:
      case 0x85:
        return this.#plain("\n");
      default:
        return this.#visible(code);
    }
  }

  #visible(code: number): string {
    // Bell, shifts of the character set and what is left of C1 show nothing on a terminal.
    if (code === 0x07 || code === 0x0e || code === 0x0f || code >= 0x80) return "";
    if (code === 0) this.#nul = true;
    return this.#plain(String.fromCharCode(code === 0x7f ? 0x2421 : 0x2400 + code));
  }

  #enter(state: State): void {
    this.#state = state;
    this.#sequence = "";
  }

  /** One unit of a sequence. False when it does not belong to it and is text or control again. */
  #inSequence(code: number): boolean {
    this.#sequence += String.fromCharCode(code);
    if (this.#sequence.length > MAX_SEQUENCE) this.#state = "text";
    switch (this.#state) {
      case "escape":
        return this.#afterEscape(code);
      case "one more":
        this.#state = "text";
        return code >= 0x20;
      case "control sequence":
        return this.#inControlSequence(code);
      case "string escape":
        this.#state = "text";
        return code === 0x5c;
      case "string":
        return this.#inString(code);
      case "text":
        return false;
    }
  }

  #afterEscape(code: number): boolean {
    this.#state = "text";
    const character = String.fromCharCode(code);
    if (character === "[") this.#enter("control sequence");
    else if ("]PX^_".includes(character)) this.#enter("string");
    else if (code >= 0x20 && code <= 0x2f) this.#enter("one more");
    return code >= 0x20 && code < 0x7f;
  }

  #inControlSequence(code: number): boolean {
    if (code >= 0x20 && code <= 0x3f) return true;
    this.#state = "text";
    if (code < 0x40 || code > 0x7e) return false;
    this.#moveOrErase(this.#sequence);
    return true;
  }

  /** Of all that sequences do, only what rewrites the line matters here. */
  #moveOrErase(sequence: string): void {
    if (sequence === "G" || sequence === "1G") this.#returned = this.#line !== "" || this.#flushed;
    const erases = sequence === "2K" || (this.#returned && (sequence === "K" || sequence === "0K"));
    if (!erases || this.#flushed) return;
    this.#dropLine();
    this.#returned = false;
  }

  #inString(code: number): boolean {
    if (code === 0x1b) this.#state = "string escape";
    else if (code === 0x07 || code === 0x9c) this.#state = "text";
    else if (code === 0x0a) {
      this.#state = "text";
      return false;
    }
    return true;
  }
}

function withoutLast(line: string): string {
  const last = line.charCodeAt(line.length - 1);
  return line.slice(0, last >= 0xdc00 && last <= 0xdfff ? -2 : -1);
}

/** A whole text at once. */
export function terminalText(text: string): string {
  const terminal = new TerminalText();
  return terminal.push(text) + terminal.end();
}
