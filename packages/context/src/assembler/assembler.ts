import type {
  ErrorEvent,
  ResponseEvent,
  TerminalEvent,
  ToolCallEndEvent,
  ToolCallResultEvent,
  ToolCallStartEvent,
} from "../events.js";
import { frozenCopy, frozenPart } from "../json/frozen-copy.js";
import { type AssistantMessage, MessageType, type ToolResultMessage } from "../message.js";
import { blockOf, createDraft, type Draft } from "./draft.js";
import { resultsOf } from "./executed.js";

/** Folds the events of one response into its message. Work is linear in the total text; deltas may be cut anywhere. */
export interface Assembler {
  /** Takes the next event; nothing counts after the terminal one. Throws kind `malformed` for arguments, extras or results that are no JSON. */
  readonly push: (event: ResponseEvent) => void;
  /** The message, frozen; after the terminal event always the same object, before it a snapshot marked `incomplete`. */
  readonly message: () => AssistantMessage;
  /** One result for each call that the provider executed, in call order; one that never came is an error result. */
  readonly results: () => readonly ToolResultMessage[];
}

export function createAssembler(): Assembler {
  const state = new AssemblerState();
  return {
    push: (event) => state.push(event),
    message: () => state.message(),
    results: () => resultsOf(state.drafts),
  };
}

class AssemblerState {
  /** In the order in which their indexes first appeared. */
  readonly drafts: Draft[] = [];
  readonly #byIndex = new Map<number, Draft>();
  #lastIndex = -1;
  #last: Draft | undefined;
  #terminal: TerminalEvent | undefined;
  #built: AssistantMessage | undefined;

  push(event: ResponseEvent): void {
    if (this.#terminal !== undefined) return;
    switch (event.type) {
      case "text_delta":
        this.#open(event.contentIndex, "text").fragments.push(event.text);
        return;
      case "thinking_delta":
        this.#open(event.contentIndex, "thinking").fragments.push(event.text);
        return;
      case "tool_call_delta":
        this.#open(event.contentIndex, "toolCall").fragments.push(event.arguments);
        return;
      case "text_start":
        this.#open(event.contentIndex, "text");
        return;
      case "thinking_start":
        addExtra(this.#open(event.contentIndex, "thinking"), event.extra);
        return;
      case "tool_call_start":
        this.#startCall(event);
        return;
      case "text_end":
        end(this.#open(event.contentIndex, "text"), event.text);
        return;
      case "thinking_end":
        addExtra(end(this.#open(event.contentIndex, "thinking"), event.text), event.extra);
        return;
      case "tool_call_end":
        addExtra(end(this.#open(event.contentIndex, "toolCall"), ownArguments(event)), event.extra);
        return;
      case "tool_call_result":
        this.#takeResult(event);
        return;
      case "done":
      case "error":
        this.#terminal = event;
        return;
      case "start":
      // It carries nothing of the message.
    }
  }

  message(): AssistantMessage {
    if (this.#built !== undefined) return this.#built;
    const message = this.#build();
    if (this.#terminal !== undefined) this.#built = message;
    return message;
  }

  #build(): AssistantMessage {
    const terminal = this.#terminal;
    const closed = terminal?.type === "done" && terminal.doneReason !== "length";
    const content = this.drafts.flatMap((draft) => blockOf(draft, closed) ?? []);
    const error = terminal?.type === "error" && !isCancelled(terminal) ? { error: errorOf(terminal) } : {};
    const incomplete = terminal?.type === "done" ? {} : { incomplete: true };
    return frozenCopy({ type: MessageType.assistant, content, ...error, ...incomplete }, "message");
  }

  /** The block that is open at an index; a missing start, another kind or an ended block opens a new one. */
  #open(index: number, kind: Draft["kind"]): Draft {
    const last = index === this.#lastIndex ? this.#last : this.#byIndex.get(index);
    const draft =
      last !== undefined && last.kind === kind && !last.ended ? last : this.#add(index, createDraft(kind));
    this.#lastIndex = index;
    this.#last = draft;
    return draft;
  }

  #add(index: number, draft: Draft): Draft {
    this.drafts.push(draft);
    this.#byIndex.set(index, draft);
    this.#lastIndex = index;
    this.#last = draft;
    return draft;
  }

  #startCall(event: ToolCallStartEvent): void {
    const before = this.#byIndex.get(event.contentIndex);
    const isRepeat =
      before?.kind === "toolCall" &&
      !before.ended &&
      before.callId === event.callId &&
      before.name === event.name;
    const draft = isRepeat
      ? before
      : this.#add(event.contentIndex, createDraft("toolCall", event.callId, event.name));
    if (event.executed === true) draft.executed = true;
    addExtra(draft, event.extra);
  }

  #takeResult(event: ToolCallResultEvent): void {
    const before = this.#byIndex.get(event.contentIndex);
    const draft =
      before?.kind === "toolCall" ? before : this.#add(event.contentIndex, createDraft("toolCall"));
    // Who has a result ran the call.
    draft.executed = true;
    draft.result = { content: frozenPart(event.content, "event.content"), error: event.error === true };
  }
}

function end(draft: Draft, whole: unknown): Draft {
  draft.ended = true;
  if (whole !== undefined) draft.whole = whole;
  return draft;
}

function addExtra(draft: Draft, extra: Draft["extra"]): void {
  if (extra !== undefined) draft.extra = { ...draft.extra, ...frozenPart(extra, "event.extra") };
}

function ownArguments(event: ToolCallEndEvent): unknown {
  return event.arguments === undefined ? undefined : frozenPart(event.arguments, "event.arguments");
}

function isCancelled(terminal: ErrorEvent): boolean {
  return terminal.cancelled === true || terminal.kind === "cancelled";
}

function errorOf(terminal: ErrorEvent): NonNullable<AssistantMessage["error"]> {
  const { error, retryAfterMs } = terminal;
  return retryAfterMs === undefined ? error : { message: error, retry: retryAfterMs };
}
