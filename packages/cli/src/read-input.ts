import { CommandError } from "./command-error.js";
import type { Terminal } from "./terminal.js";

const NOTICE_AFTER_MS = 2_000;
const FIRST_BYTE_WITHIN_MS = 30_000;

export interface InputWaits {
  readonly noticeAfterMs: number;
  readonly firstByteWithinMs: number;
}

/**
 * Reads piped standard input to its end. The first byte must come within 30 s, because a script that forgot to close
 * its pipe would otherwise hang for ever. Throws kind `usage` for a terminal and for silence, `cancelled` on a signal.
 */
export async function readInput(terminal: Terminal, waits?: InputWaits): Promise<string> {
  return new TextDecoder().decode(await readInputBytes(terminal, waits));
}

/** The same, as it came. */
export async function readInputBytes(
  terminal: Terminal,
  waits: InputWaits = { noticeAfterMs: NOTICE_AFTER_MS, firstByteWithinMs: FIRST_BYTE_WITHIN_MS },
): Promise<Uint8Array> {
  if (!terminal.input) {
    throw new CommandError("usage", "nothing to do: give a prompt as an argument, or pipe one in", {});
  }
  const chunks: Uint8Array[] = [];
  const iterator = terminal.input[Symbol.asyncIterator]();
  const silence = watchSilence(terminal, waits);
  try {
    for (;;) {
      const next = await Promise.race([iterator.next(), silence.broken]);
      if (next.done) break;
      silence.end();
      chunks.push(next.value);
    }
  } finally {
    silence.end();
  }
  return Buffer.concat(chunks);
}

function watchSilence(
  terminal: Terminal,
  waits: InputWaits,
): { readonly broken: Promise<never>; readonly end: () => void } {
  const { promise, reject } = deferred();
  const notice = setTimeout(
    () => terminal.err.write("ashlar: waiting for input on stdin …\n"),
    waits.noticeAfterMs,
  );
  const limit = setTimeout(
    () =>
      reject(
        new CommandError(
          "usage",
          `no input came on stdin within ${waits.firstByteWithinMs / 1000} s; pipe a prompt in, or close stdin`,
          {},
        ),
      ),
    waits.firstByteWithinMs,
  );
  const cancel = (): void => reject(new CommandError("cancelled", "cancelled while reading stdin", {}));
  terminal.cancelled.addEventListener("abort", cancel);
  return {
    broken: promise,
    end() {
      clearTimeout(notice);
      clearTimeout(limit);
    },
  };
}

function deferred(): { readonly promise: Promise<never>; readonly reject: (reason: Error) => void } {
  let reject: (reason: Error) => void = () => undefined;
  const promise = new Promise<never>((_, refuse) => {
    reject = refuse;
  });
  // Nobody may be waiting when a signal comes.
  promise.catch(() => undefined);
  return { promise, reject };
}
