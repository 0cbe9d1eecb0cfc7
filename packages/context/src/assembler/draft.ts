import { setOwn } from "../json/set-own.js";
import { wellFormed } from "../json/well-formed.js";
import type { Block } from "../message.js";
import { parseArguments } from "./arguments.js";

type Extra = Readonly<Record<string, unknown>>;

/** A block while it streams: its fragments are joined once, when the message is built. */
export interface Draft {
  readonly kind: "text" | "thinking" | "toolCall";
  readonly fragments: string[];
  /** A call's id and name; empty for the other kinds. */
  readonly callId: string;
  readonly name: string;
  executed: boolean;
  /** Replaces the fragments: the whole text, or a call's arguments. */
  whole: unknown;
  ended: boolean;
  extra: Extra | undefined;
  result: DraftResult | undefined;
}

export interface DraftResult {
  readonly content: readonly Block[];
  readonly error: boolean;
}

export function createDraft(kind: Draft["kind"], callId = "", name = ""): Draft {
  return {
    kind,
    fragments: [],
    callId,
    name,
    executed: false,
    whole: undefined,
    ended: false,
    extra: undefined,
    result: undefined,
  };
}

/** Own fields of a block, which an extra may not replace. */
const RESERVED = new Set(["type", "text", "callId", "name", "arguments", "executed"]);

/** The finished block, or undefined for one without a payload. `closed`: the response reached its regular end. */
export function blockOf(draft: Draft, closed: boolean): Block | undefined {
  if (draft.kind === "toolCall") return callOf(draft, closed);
  const text = wellFormed(typeof draft.whole === "string" ? draft.whole : draft.fragments.join(""));
  if (draft.kind === "text") return text === "" ? undefined : { type: "text", text };
  const extra = extraOf(draft);
  return text === "" && Object.keys(extra).length === 0 ? undefined : { ...extra, type: "thinking", text };
}

function callOf(draft: Draft, closed: boolean): Block {
  const { callId, name } = draft;
  const executed = draft.executed ? { executed: true } : {};
  return {
    ...extraOf(draft),
    type: "toolCall",
    callId,
    name,
    arguments: argumentsOf(draft, closed),
    ...executed,
  };
}

function argumentsOf(draft: Draft, closed: boolean): unknown {
  if (draft.whole !== undefined && typeof draft.whole !== "string") return draft.whole;
  const text = typeof draft.whole === "string" ? draft.whole : draft.fragments.join("");
  // A stream that broke off inside the call: what came may be complete by luck only.
  if (!draft.ended && !closed) return wellFormed(text);
  return parseArguments(text);
}

function extraOf(draft: Draft): Extra {
  const extra: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(draft.extra ?? {})) {
    if (!RESERVED.has(key)) setOwn(extra, key, value);
  }
  return extra;
}
