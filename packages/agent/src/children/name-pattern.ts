import { runInNewContext } from "node:vm";
import { nearestName } from "@ashlar/context";
import { AgentError } from "../agent-error.js";
import { isObject } from "../loop/json-object.js";

const MAX_PATTERN_LENGTH = 200;
/** A pattern that goes back and forth is cut off here. */
const MATCH_LIMIT_MS = 100;

/**
 * The open names that `asked` means: names, `/patterns/` (with `i` behind for any case), `*` for all. In the order of
 * `open`. Throws kind `usage` for a part that means none.
 */
export function selectNames(asked: readonly string[], open: readonly string[]): readonly string[] {
  if (asked.length === 0) throw wrong('nobody is named; name workers, or write ["*"] for all');
  const chosen = new Set(asked.flatMap((one) => namesOf(one, open)));
  return open.filter((name) => chosen.has(name));
}

function namesOf(asked: string, open: readonly string[]): readonly string[] {
  if (open.length === 0) throw wrong("there are no workers; make some with worker-create");
  if (asked === "*") return open;
  const pattern = /^\/(.+)\/(i?)$/su.exec(asked);
  if (pattern !== null) return matching(pattern[1] ?? "", pattern[2] ?? "", open);
  if (open.includes(asked)) return [asked];
  const near = nearestName(asked, open);
  const hint = near === undefined ? `There are: ${open.join(", ")}` : `Did you mean ${JSON.stringify(near)}?`;
  throw wrong(`there is no worker ${JSON.stringify(asked)}. ${hint}`);
}

function matching(source: string, flags: string, open: readonly string[]): readonly string[] {
  const shown = `/${source}/${flags}`;
  if (source.length > MAX_PATTERN_LENGTH)
    throw wrong(`a pattern has at most ${MAX_PATTERN_LENGTH} characters`);
  let found: unknown;
  try {
    // In a context of its own a match can be stopped, however the pattern is made.
    found = runInNewContext(
      "JSON.stringify(names.filter((name) => new RegExp(source, flags).test(name)))",
      { names: [...open], source, flags: `u${flags}` },
      { timeout: MATCH_LIMIT_MS },
    );
  } catch (error) {
    // An error of that context is no Error of this one.
    const timedOut = isObject(error) && error.code === "ERR_SCRIPT_EXECUTION_TIMEOUT";
    throw wrong(timedOut ? `${shown} takes too long; write a simpler pattern` : `${shown} is no pattern`);
  }
  const names: unknown = JSON.parse(String(found));
  const matches = open.filter((name) => Array.isArray(names) && names.includes(name));
  if (matches.length === 0) throw wrong(`${shown} fits no worker. There are: ${open.join(", ")}`);
  return matches;
}

function wrong(problem: string): AgentError<"usage"> {
  return new AgentError("usage", `workers: ${problem}.`, { argument: "workers" });
}
