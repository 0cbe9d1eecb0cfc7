import type { ContextItem, JsonSchema, ResponseEvent, TerminalEvent } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import type { ThinkingLevel, Timeouts } from "@ashlar/io";

/** What one request asks for beside the context. */
export interface StreamOptions {
  /** Qualified `endpoint/model`. */
  readonly model: string;
  readonly tools: readonly ToolDescriptor[];
  readonly signal: AbortSignal;
  readonly thinking?: ThinkingLevel;
  readonly format?: JsonSchema | "json";
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly timeouts?: Timeouts;
}

/**
 * Sends one request: gives events to `sink` as they come and resolves with the terminal one. By default the IO of the
 * agent's model; a remote or scripted stream takes its place. What it throws becomes a terminal error.
 */
export type StreamFunction = (
  context: readonly ContextItem[],
  sink: (event: ResponseEvent) => void,
  options: StreamOptions,
) => Promise<TerminalEvent>;
