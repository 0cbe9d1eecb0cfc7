import { SessionError, wrongArgument } from "./session-error.js";

const ID = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/;

/** Throws kind `usage` for an id that could be mistaken for a path or an option. */
export function checkSessionId(id: string): void {
  if (ID.test(id)) return;
  throw wrongArgument(
    "id",
    `${JSON.stringify(id)} is no session id: 1 to 64 letters, digits, ".", "_", "-", the first and the last a letter or a digit`,
  );
}

/** The id that is meant by an id or a prefix of one. Throws kind `missing` or `ambiguous`. */
export function resolveSessionId(idOrPrefix: string, ids: readonly string[]): string {
  if (ids.includes(idOrPrefix)) return idOrPrefix;
  const matches = idOrPrefix === "" ? [] : ids.filter((id) => id.startsWith(idOrPrefix));
  const [match] = matches;
  if (match === undefined)
    throw new SessionError("missing", `there is no session ${JSON.stringify(idOrPrefix)}`, {
      id: idOrPrefix,
    });
  if (matches.length === 1) return match;
  const some = matches.slice(0, 5).join(", ");
  const problem = `${matches.length} sessions begin with ${JSON.stringify(idOrPrefix)}: ${some}${matches.length > 5 ? ", …" : ""}; give more of the id`;
  throw new SessionError("ambiguous", problem, { id: idOrPrefix, matches });
}
