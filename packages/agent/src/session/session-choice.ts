import type { SessionRepository } from "@ashlar/context";
import { AgentError } from "../agent-error.js";
import type { AgentCreateOptions } from "../agent-options.js";
import { isObject } from "../loop/json-object.js";

/** Which session an agent works on. Without `resume` and `fork` it is a new one. */
export interface SessionChoice {
  /** Default: `env.sessions()`. Whoever made it closes it. */
  readonly repository?: SessionRepository;
  /** Of a new session or a fork. Default: a UUIDv7. */
  readonly id?: string;
  /** What people call it. */
  readonly name?: string;
  /** The session to go on with: an id, the start of one, or `latest` of this project. */
  readonly resume?: string;
  /** The session to copy, of any project: an id or the start of one. */
  readonly fork?: string;
  /** Keep also what lies behind the newest compaction, for undo and old branches. Default false. */
  readonly whole?: boolean;
  /** The id of the parent's session, for a new session of a child. */
  readonly childOf?: string;
}

export interface AgentOpenOptions extends AgentCreateOptions {
  /** False: nothing is kept. Default: a new session, unless the setting `sessions.save` is false or the Env has no files of the user. */
  readonly session?: SessionChoice | false;
}

const KEYS: ReadonlySet<string> = new Set(["repository", "id", "name", "resume", "fork", "whole", "childOf"]);
const TEXTS = ["id", "name", "resume", "fork", "childOf"] as const;

/** Throws kind `usage` for a choice that makes no sense. */
export function checkSessionChoice(choice: SessionChoice): void {
  if (!isObject(choice)) throw wrong("session", "expected an object or false");
  const odd = Object.keys(choice).find((key) => !KEYS.has(key));
  if (odd !== undefined)
    throw wrong(`session.${odd}`, `there is no such option; it takes ${[...KEYS].join(", ")}`);
  for (const key of TEXTS) {
    const value: unknown = choice[key];
    if (value !== undefined && (typeof value !== "string" || value.trim() === ""))
      throw wrong(`session.${key}`, "expected a text that is not blank");
  }
  const { resume, fork, id, childOf } = choice;
  if (resume !== undefined && fork !== undefined)
    throw wrong("session.fork", "a session is resumed or forked, not both");
  if (resume !== undefined && id !== undefined)
    throw wrong(
      "session.id",
      "a resumed session keeps its id; give it with `fork`, or alone for a new session",
    );
  if (childOf !== undefined && (resume ?? fork) !== undefined)
    throw wrong("session.childOf", "only a new session can be a child's");
}

function wrong(argument: string, problem: string): AgentError<"usage"> {
  return new AgentError("usage", `agentOpen: ${argument}: ${problem}.`, { argument });
}
