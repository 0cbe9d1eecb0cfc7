import type { JsonObject, SessionInfo, SessionOrigin } from "@ashlar/context";
import type { LoadedSession } from "./session-document.js";

/** Tells our files from others; the number rises when an older Ashlar could not read one any more. */
export const FILE_FORMAT = "ashlar-session";
export const FILE_VERSION = 1;

/** What a file says of its session beside the entries. */
export interface FiledSession {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly created: number;
  readonly cwd?: string;
  readonly parent?: SessionOrigin;
  readonly settings?: JsonObject;
}

/**
 * A session as JSON that `import` reads back, one entry a line. Nothing is left out; where a damaged session has gaps,
 * its entries are numbered anew, and `damage` says what was wrong.
 */
export function* sessionFileText({
  info,
  entries,
  damage,
}: LoadedSession): Generator<string, void, undefined> {
  const head = {
    format: FILE_FORMAT,
    version: FILE_VERSION,
    session: filed(info),
    ...(damage.length === 0 ? {} : { damage }),
    // A file that was cut by hand would otherwise look whole.
    count: entries.length,
  };
  yield `${JSON.stringify(head).slice(0, -1)},"entries":[`;
  for (const [position, entry] of entries.entries()) {
    yield `${position === 0 ? "\n" : ",\n"}${JSON.stringify({ ...entry, seq: position + 1 })}`;
  }
  yield "\n]}\n";
}

function filed({ id, created, cwd, parent, settings }: SessionInfo): FiledSession {
  return {
    id,
    created,
    ...(cwd === undefined ? {} : { cwd }),
    ...(parent === undefined ? {} : { parent }),
    ...(settings === undefined ? {} : { settings }),
  };
}
