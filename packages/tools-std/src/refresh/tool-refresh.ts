import type { ToolContext } from "@ashlar/context/tool";
import { checkFields } from "../argument-check.js";
import { ToolError } from "../tool-error.js";
import type { ToolRefreshInput } from "./tool-refresh-input.js";

const MAX_PROBLEMS = 20;

/** Loads tools and hooks again, and says what came, went and failed. Throws a `ToolError`. */
export async function toolRefresh(input: ToolRefreshInput, { env }: ToolContext): Promise<string> {
  checkFields("tool-refresh", input, []);
  if (env.toolsRefresh === undefined) {
    throw new ToolError("refused", "The tools of this host cannot be loaded again.", {
      reason: "no refresh",
    });
  }
  const { tools, added, removed, problems: left } = await env.toolsRefresh();
  const hooks = (await env.hooksRefresh?.()) ?? [];
  const problems = [...left, ...hooks.map(({ message }) => message)];
  const shown = problems.slice(0, MAX_PROBLEMS);
  return [
    `Loaded ${tools.length} tools; they count from the next request on.`,
    ...(added.length === 0 ? [] : [`New: ${added.join(", ")}.`]),
    ...(removed.length === 0 ? [] : [`Gone: ${removed.join(", ")}.`]),
    ...shown.map((problem) => `Problem: ${problem}`),
    ...(problems.length > shown.length ? [`[${problems.length - shown.length} more problems.]`] : []),
  ].join("\n");
}
