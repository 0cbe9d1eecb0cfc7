import { countOf, isRecord, listOf, recordOf, textOf, type UnknownRecord } from "../record.js";

/** One line of `/api/chat`, decoded. */
export interface ChatFrame {
  readonly thinking: string;
  readonly text: string;
  readonly calls: readonly FrameCall[];
  /** Set on the last line. */
  readonly end: FrameEnd | undefined;
  readonly error: string | undefined;
}

export interface FrameCall {
  /** Empty where an old server gave none. */
  readonly id: string;
  readonly name: string;
  /** The parsed value, or the raw text. */
  readonly arguments: unknown;
}

export interface FrameEnd {
  readonly reason: string | undefined;
  readonly promptTokens: number | undefined;
  readonly cachedTokens: number | undefined;
  readonly outputTokens: number | undefined;
}

const NO_CALLS: readonly FrameCall[] = [];

/** Reads a line; undefined for a value that is no object. */
export function readChatFrame(value: unknown): ChatFrame | undefined {
  if (!isRecord(value)) return undefined;
  const message = recordOf(value.message);
  return {
    thinking: textOf(message.thinking) ?? "",
    text: textOf(message.content) ?? "",
    calls: message.tool_calls === undefined ? NO_CALLS : listOf(message.tool_calls).flatMap(readCall),
    end: value.done === true ? readEnd(value) : undefined,
    error: errorOf(value.error),
  };
}

function readCall(value: unknown): FrameCall[] {
  const call = recordOf(value);
  const called = recordOf(call.function);
  const name = textOf(called.name);
  if (name === undefined) return [];
  return [{ id: textOf(call.id) ?? "", name, arguments: parsed(called.arguments) }];
}

/** Proxies send the arguments as JSON text, as the OpenAI wire does. */
function parsed(args: unknown): unknown {
  if (typeof args !== "string") return args ?? {};
  try {
    return JSON.parse(args);
  } catch {
    // Text that is no JSON is kept as it is; it is never run.
    return args;
  }
}

function readEnd(frame: UnknownRecord): FrameEnd {
  return {
    reason: textOf(frame.done_reason),
    promptTokens: countOf(frame.prompt_eval_count),
    cachedTokens: countOf(frame.prompt_eval_cached_count),
    outputTokens: countOf(frame.eval_count),
  };
}

function errorOf(error: unknown): string | undefined {
  if (error === undefined || error === null) return undefined;
  return textOf(error) ?? textOf(recordOf(error).message) ?? JSON.stringify(error);
}
