import {
  acceptEntries,
  Context,
  checkSessionId,
  EntryMender,
  isAshlarError,
  isObject,
  type JsonObject,
  type SessionEntry,
  type SessionOrigin,
} from "@ashlar/context";
import { CommandError } from "../command-error.js";
import { FILE_FORMAT, FILE_VERSION, type FiledSession } from "./session-file.js";

/** What a file that can be imported holds. */
export interface ReadSession {
  readonly session: FiledSession;
  readonly entries: readonly SessionEntry[];
}

/**
 * Checks the text of an exported session whole, so that what is imported could have been written here. `name` is what
 * the text is called in errors. Throws kind `malformed` naming the first place that is wrong.
 */
export function readSessionFile(text: string, name: string): ReadSession {
  const value = parsed(text, name);
  if (!isObject(value) || value.format !== FILE_FORMAT) throw foreign(name);
  if (typeof value.version !== "number") throw wrong(`${name}: version`, "expected a number");
  if (value.version > FILE_VERSION) {
    const problem = `a newer Ashlar wrote this (version ${value.version}; this one reads ${FILE_VERSION}): update Ashlar`;
    throw wrong(`${name}: version`, problem);
  }
  const session = sessionOf(value.session, `${name}: session`);
  const { entries, count } = value;
  if (!Array.isArray(entries)) throw wrong(`${name}: entries`, "expected an array");
  if (entries.length !== count) {
    const problem = `there are ${entries.length} entries and "count" says ${String(count)}: part of the file is missing`;
    throw wrong(`${name}: entries`, problem);
  }
  return { session, entries: checkedEntries(entries, name) };
}

function parsed(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const problem = `it is no JSON document, or it is torn (${reason}); export the session again with --json`;
    throw wrong(name, problem, { cause: error });
  }
}

function foreign(name: string): CommandError {
  const problem = `this is no session that "ashlar sessions export --json" wrote: "format" is not "${FILE_FORMAT}"`;
  return wrong(name, problem);
}

function sessionOf(value: unknown, at: string): FiledSession {
  if (!isObject(value)) throw wrong(at, "expected an object");
  const { id, created, cwd, parent, settings } = value;
  if (typeof id !== "string") throw wrong(`${at}.id`, "expected a string");
  placed(`${at}.id`, () => checkSessionId(id));
  if (typeof created !== "number") throw wrong(`${at}.created`, "expected epoch milliseconds");
  if (cwd !== undefined && typeof cwd !== "string") throw wrong(`${at}.cwd`, "expected a path or nothing");
  if (settings !== undefined && !isObject(settings))
    throw wrong(`${at}.settings`, "expected an object or nothing");
  return {
    id,
    created,
    ...(cwd === undefined ? {} : { cwd }),
    ...(parent === undefined ? {} : { parent: originOf(parent, `${at}.parent`) }),
    // It came from JSON.parse.
    ...(settings === undefined ? {} : { settings: settings as JsonObject }),
  };
}

function originOf(value: unknown, at: string): SessionOrigin {
  if (!isObject(value) || typeof value.session !== "string")
    throw wrong(`${at}.session`, "expected the id of a session");
  const { session, entry } = value;
  if (entry !== undefined && typeof entry !== "string")
    throw wrong(`${at}.entry`, "expected the id of an entry or nothing");
  return { session, ...(entry === undefined ? {} : { entry }) };
}

/** What a store would have to mend is refused here: the file can be corrected, a session that was written cannot. */
function checkedEntries(values: readonly unknown[], name: string): readonly SessionEntry[] {
  const mender = new EntryMender(({ at, message }) => {
    // Behind the semicolon stands what a store does about it.
    throw wrong(at, message.slice(`${at}: `.length).replace(/; [^;]*$/, ""));
  });
  const found = values.flatMap((value, index) => mender.add(value, () => `${name}: entries[${index}]`));
  const entries = [...found, ...mender.end()];
  return placed(name, () => {
    const own = acceptEntries(0, entries);
    // A Context is strict where a store is lenient.
    new Context({ entries: own });
    return own;
  });
}

/** Runs a check and names the place in front of what it throws. */
function placed<Result>(at: string, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (!isAshlarError(error)) throw error;
    throw wrong(at, error.message, { cause: error });
  }
}

function wrong(
  at: string,
  problem: string,
  options?: { readonly cause?: unknown },
): CommandError<"malformed"> {
  return new CommandError("malformed", `${at}: ${problem}`, { at }, options);
}
