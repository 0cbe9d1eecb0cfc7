import type { StreamFunction, StreamOptions } from "@ashlar/agent";
import {
  type ContextItem,
  createAssembler,
  type DoneReason,
  type ErrorEvent,
  type ResponseEvent,
  type TerminalEvent,
  type Usage,
} from "@ashlar/context";

/** The events of one response; a function decides when it is asked. */
export type Turn = readonly ResponseEvent[] | ((request: SeenRequest) => readonly ResponseEvent[]);

export interface SeenRequest {
  readonly context: readonly ContextItem[];
  readonly options: StreamOptions;
  /** Counted from 0. */
  readonly index: number;
}

export interface ScriptedStream {
  readonly stream: StreamFunction;
  readonly requests: SeenRequest[];
}

/** Plays one turn a request; the last one repeats. */
export function scripted(...turns: Turn[]): ScriptedStream {
  const requests: SeenRequest[] = [];
  const stream: StreamFunction = async (context, sink, options) => {
    const request = { context, options, index: requests.length };
    requests.push(request);
    const turn = turns[Math.min(request.index, turns.length - 1)] ?? [];
    const assembler = createAssembler();
    let terminal: TerminalEvent = { type: "error", kind: "network", error: "the script has no end" };
    for (const event of typeof turn === "function" ? turn(request) : turn) {
      assembler.push(event);
      if (event.type === "done" || event.type === "error") terminal = event;
      sink(event);
    }
    const results = assembler.results();
    return { message: assembler.message(), ...(results.length > 0 && { results }), ...terminal };
  };
  return { stream, requests };
}

export const USAGE: Usage = { inputTokens: 10, outputTokens: 2, source: "provider" };

export function text(content: string, doneReason: DoneReason = "stop"): ResponseEvent[] {
  return [
    { type: "start", version: 1 },
    { type: "text_start", contentIndex: 0 },
    { type: "text_delta", contentIndex: 0, text: content },
    { type: "text_end", contentIndex: 0 },
    { type: "done", doneReason, usage: USAGE },
  ];
}

export interface Call {
  readonly name: string;
  readonly args?: unknown;
  readonly id?: string;
}

/** Arguments given as text stay raw. */
export function calls(list: readonly Call[], doneReason: DoneReason = "toolCalls"): ResponseEvent[] {
  return [
    { type: "start", version: 1 },
    ...list.flatMap(({ name, args = {}, id = "" }, contentIndex): ResponseEvent[] => [
      { type: "tool_call_start", contentIndex, callId: id, name },
      { type: "tool_call_end", contentIndex, arguments: args },
    ]),
    { type: "done", doneReason, usage: USAGE },
  ];
}

export function failure(error: Partial<ErrorEvent> = {}, partial = ""): ResponseEvent[] {
  return [
    { type: "start", version: 1 },
    ...(partial === "" ? [] : [{ type: "text_delta", contentIndex: 0, text: partial } as const]),
    { type: "error", kind: "network", error: "connection reset", ...error },
  ];
}

/** A finished response that holds nothing. */
export function nothing(doneReason: DoneReason = "stop"): ResponseEvent[] {
  return [
    { type: "start", version: 1 },
    { type: "done", doneReason, usage: USAGE },
  ];
}
