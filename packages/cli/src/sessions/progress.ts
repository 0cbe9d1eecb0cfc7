import type { Terminal } from "../terminal.js";
import { clipped } from "../terminal-text.js";

/** A terminal shows one line that changes; elsewhere lines come seldom, so that a log stays short. */
const TERMINAL_EVERY_MS = 500;
const LOG_EVERY_MS = 15_000;

export interface Progress {
  /** What was worked through so far. */
  count: number;
}

/** Says on stderr that long work goes on, how far it is and how to end it. Short work says nothing. */
export async function withProgress<Result>(
  terminal: Terminal,
  { what, of }: { readonly what: string; readonly of: string },
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const progress: Progress = { count: 0 };
  const started = performance.now();
  const columns = terminal.errColumns;
  const blank = `\r${" ".repeat(Math.max(0, (columns ?? 0) - 1))}\r`;
  let isShown = false;
  const say = (): void => {
    const seconds = Math.round((performance.now() - started) / 1_000);
    const done = progress.count === 0 ? "" : `${progress.count} ${of}, `;
    const text = `ashlar: ${what} … ${done}${seconds} s (Ctrl-C ends it)`;
    if (columns === undefined) terminal.err.write(`${text}\n`);
    else {
      terminal.err.write(`${blank}${clipped(text, columns - 1)}`);
      isShown = true;
    }
  };
  const timer = setInterval(say, columns === undefined ? LOG_EVERY_MS : TERMINAL_EVERY_MS);
  try {
    return await work(progress);
  } finally {
    clearInterval(timer);
    if (isShown) terminal.err.write(blank);
  }
}
