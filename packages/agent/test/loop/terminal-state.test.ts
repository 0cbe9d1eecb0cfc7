import { classifyTerminal, type TerminalState } from "@ashlar/agent/loop";
import type { AssistantMessage, Block, TerminalEvent, ToolResultMessage } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import {
  called,
  dispatched,
  done,
  failed,
  feed,
  message,
  PREPARED,
  RUN,
  STORED,
  said,
  usage,
} from "../support/loop-inputs.js";

const thinking: Block = { type: "thinking", text: "hm" };
const executed = (callId: string): Block => ({
  type: "toolCall",
  callId,
  name: "search",
  arguments: {},
  executed: true,
});
const result = (callId: string): ToolResultMessage => ({ type: 4, callId, content: [] });
const idle = { type: "error", kind: "network", error: "silent", idle: true } as const;
const failedMessage: AssistantMessage = { ...said, error: "broke off" };

interface Row {
  readonly why: string;
  readonly terminal: TerminalEvent;
  readonly kind: TerminalState["kind"];
  /** Of an answer: calls to run. */
  readonly calls?: number;
  readonly cancelled?: boolean;
}

const ROWS: readonly Row[] = [
  { why: "text", terminal: { type: "done", doneReason: "stop", message: said }, kind: "answer", calls: 0 },
  {
    why: "a word that nobody knows",
    terminal: { type: "done", doneReason: "other", message: said },
    kind: "answer",
    calls: 0,
  },
  { why: "no word at all", terminal: { type: "done", message: said }, kind: "answer", calls: 0 },
  {
    why: "text that the output limit cut",
    terminal: { type: "done", doneReason: "length", message: said },
    kind: "answer",
    calls: 0,
  },
  {
    why: "text of a refusal",
    terminal: { type: "done", doneReason: "refusal", message: said },
    kind: "answer",
    calls: 0,
  },
  {
    why: "calls",
    terminal: { type: "done", doneReason: "toolCalls", message: called },
    kind: "answer",
    calls: 1,
  },
  {
    why: "calls, though it says stop",
    terminal: { type: "done", doneReason: "stop", message: called },
    kind: "answer",
    calls: 1,
  },
  {
    why: "text, though it says calls",
    terminal: { type: "done", doneReason: "toolCalls", message: said },
    kind: "answer",
    calls: 0,
  },
  {
    why: "calls that the output limit cut",
    terminal: { type: "done", doneReason: "length", message: called },
    kind: "cut",
    calls: 1,
  },
  {
    why: "calls before a refusal",
    terminal: { type: "done", doneReason: "refusal", message: called },
    kind: "refused",
    calls: 1,
  },
  {
    why: "calls that the provider ran",
    terminal: { type: "done", doneReason: "toolCalls", message: message(executed("a")) },
    kind: "answer",
    calls: 0,
  },
  {
    why: "calls of both kinds",
    terminal: { type: "done", message: message(executed("a"), ...called.content) },
    kind: "answer",
    calls: 1,
  },
  { why: "no message", terminal: { type: "done", doneReason: "stop" }, kind: "empty" },
  { why: "thinking alone", terminal: { type: "done", message: message(thinking) }, kind: "empty" },
  {
    why: "blank text",
    terminal: { type: "done", message: message({ type: "text", text: " \n" }) },
    kind: "empty",
  },
  {
    why: "an empty refusal",
    terminal: { type: "done", doneReason: "refusal", message: message() },
    kind: "failed",
  },
  {
    why: "the limit before the first word",
    terminal: { type: "done", doneReason: "length", message: message(thinking) },
    kind: "failed",
  },
  {
    why: "a message that says it failed",
    terminal: { type: "done", doneReason: "stop", message: failedMessage },
    kind: "failed",
  },
  {
    why: "nothing, after the provider counted it",
    terminal: { type: "error", kind: "provider", error: "nothing", retryable: true, usage },
    kind: "empty",
  },
  { why: "an error", terminal: { type: "error", kind: "network", error: "reset" }, kind: "failed" },
  {
    why: "an error behind a whole message",
    terminal: { type: "error", kind: "provider", error: "late", message: called },
    kind: "failed",
  },
  {
    why: "an overflow",
    terminal: { type: "error", kind: "provider", error: "too long", contextOverflow: { needed: 9 } },
    kind: "overflow",
  },
  {
    why: "a cancel, by its mark",
    terminal: { type: "error", error: "x", cancelled: true, message: said },
    kind: "cancelled",
  },
  {
    why: "a cancel, by its kind",
    terminal: { type: "error", error: "x", kind: "cancelled", message: called },
    kind: "cancelled",
  },
  {
    why: "silence after all calls were run elsewhere",
    terminal: {
      ...idle,
      message: message(executed("a"), executed("b")),
      results: [result("a"), result("b")],
    },
    kind: "answer",
    calls: 0,
  },
  {
    why: "silence after a call that nobody ran",
    terminal: { ...idle, message: message(executed("a"), ...called.content), results: [result("a")] },
    kind: "failed",
  },
  {
    why: "silence before a call was answered",
    terminal: { ...idle, message: message(executed("a")) },
    kind: "failed",
  },
  { why: "silence in the middle of a text", terminal: { ...idle, message: said }, kind: "failed" },
  { why: "silence from the start", terminal: idle, kind: "failed" },
  {
    why: "another failure after all calls were run elsewhere",
    terminal: {
      type: "error",
      kind: "network",
      error: "reset",
      message: message(executed("a")),
      results: [result("a")],
    },
    kind: "failed",
  },
  {
    why: "any error of a run that was cancelled",
    terminal: { type: "error", kind: "network", error: "x" },
    kind: "cancelled",
    cancelled: true,
  },
  {
    why: "silence of a run that was cancelled",
    terminal: { ...idle, message: message(executed("a")), results: [result("a")] },
    kind: "cancelled",
    cancelled: true,
  },
  {
    why: "an answer that came before the cancel reached it",
    terminal: { type: "done", message: called },
    kind: "answer",
    calls: 1,
    cancelled: true,
  },
  {
    why: "nothing, and the run was cancelled",
    terminal: { type: "done", message: message() },
    kind: "answer",
    calls: 0,
    cancelled: true,
  },
];

describe("the end of a response", () => {
  it.each(ROWS)("is told from $why: $kind", ({ terminal, kind, calls, cancelled = false }) => {
    const state = classifyTerminal(terminal, cancelled);
    expect(state.kind).toBe(kind);
    if (calls !== undefined) expect("calls" in state ? state.calls : []).toHaveLength(calls);
  });

  it("in silence after all calls were run elsewhere is a stop, and its message is whole", () => {
    const message_ = { ...message(executed("a")), error: "silent", incomplete: true };
    const state = classifyTerminal({ ...idle, message: message_, results: [result("a")] }, false);
    expect(state).toEqual({
      kind: "answer",
      calls: [],
      done: { type: "done", doneReason: "stop", message: message(executed("a")), results: [result("a")] },
    });
    const silent = failed({ idle: true, message: message(executed("a")), results: [result("a")] });
    expect(feed(RUN, PREPARED, silent, STORED).state).toMatchObject({ outcome: { kind: "success" } });
  });

  it("in a refusal runs no calls, answers each, and fails the run", () => {
    const refusal = done(called, { doneReason: "refusal" });
    expect(feed(RUN, PREPARED, refusal, STORED).effects).toMatchObject([
      { type: "dispatch", unrun: "refused" },
    ]);
    expect(feed(RUN, PREPARED, refusal, STORED, dispatched({ succeeded: false })).state).toMatchObject({
      name: "ended",
      outcome: { kind: "provider" },
    });
  });
});
