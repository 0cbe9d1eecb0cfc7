import { type ContextItem, type contentText, MessageType, type ToolResultMessage } from "@ashlar/context";
import type { ToolDescriptions, ToolFunction } from "@ashlar/context/tool";
import { ask, type OpenedAgent, type OpenOptions, openAgent } from "./open-agent.js";
import { type Call, calls, type SeenRequest, scripted, text } from "./scripted-stream.js";

/** A safe tool that takes any object. */
export const safeTool = (fn: ToolFunction, rest: object = {}): ToolDescriptions[string] => ({
  description: "A tool.",
  safe: true,
  inputSchema: { type: "object" },
  fn,
  ...rest,
});

export interface CalledTools extends OpenedAgent {
  readonly requests: readonly SeenRequest[];
  readonly result: Awaited<ReturnType<typeof ask>>;
  readonly results: readonly ToolResultMessage[];
  /** What the model read of each result. */
  readonly texts: readonly string[];
}

/** Lets the model make these calls once, then say "ok". */
export async function callTools(
  list: readonly Call[],
  tools: ToolDescriptions,
  options: OpenOptions = {},
): Promise<CalledTools> {
  const { stream, requests } = scripted(calls(list), text("ok"));
  const opened = await openAgent({ stream, toolDescriptions: tools, ...options });
  const result = await ask(opened.agent);
  const results = toolResults(opened.agent.context.items());
  return { ...opened, requests, result, results, texts: results.map(textOf) };
}

export function toolResults(items: readonly ContextItem[]): readonly ToolResultMessage[] {
  return items.filter((item): item is ToolResultMessage => item.type === MessageType.toolResult);
}

/** Blocks that are no text are named by their kind. */
export function textOf({ content }: Parameters<typeof contentText>[0]): string {
  return content.map((block) => (block.type === "text" ? block.text : block.type)).join("\n");
}
