import type { ToolContext } from "@ashlar/context/tool";
import { checkFields } from "../argument-check.js";
import { isInside } from "../guard/path-guard.js";
import { shownName } from "../guard/shown-name.js";
import { decodeAnswers } from "../question/answers.js";
import { ToolError } from "../tool-error.js";
import type { ToolRefreshInput } from "./tool-refresh-input.js";

const MAX_PROBLEMS = 20;
const ALLOW = "Allow";

/**
 * Loads tools and hooks again, and says what came, went and failed. Code that lies where this agent writes is loaded only
 * when a person allows it: it runs outside the sandbox. Throws a `ToolError`.
 */
export async function toolRefresh(input: ToolRefreshInput, context: ToolContext): Promise<string> {
  checkFields("tool-refresh", input, []);
  const { env } = context;
  if (env.toolsRefresh === undefined) {
    throw new ToolError("refused", "The tools of this host cannot be loaded again.", {
      reason: "no refresh",
    });
  }
  await checkCode(context);
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

async function checkCode({ env, agent, question }: ToolContext): Promise<void> {
  const folders = (await env.codeFolders?.()) ?? [];
  const own = folders.filter((folder) => isInside(agent.folder, folder) || isInside(folder, agent.folder));
  if (own.length === 0) return;
  const problem = `code in ${own.map(shownName).join(", ")}, where this agent may write, would run outside the sandbox`;
  if (question === null) throw refused(problem, "Nobody is there to allow it.");
  const asked = {
    question: `Tools and hooks would be loaded again: ${problem}. Load them?`,
    header: "Permission",
    options: [
      { label: ALLOW, description: "I have looked at what was changed there." },
      { label: "Refuse", description: "Load nothing." },
    ],
  };
  const [answer] = decodeAnswers(await question.ask([asked]), 1);
  if (answer !== undefined && "labels" in answer && answer.labels.includes(ALLOW)) return;
  const said = answer !== undefined && "text" in answer ? ` They said: ${answer.text}` : "";
  throw refused(problem, `The person did not allow it.${said}`);
}

function refused(problem: string, more: string): ToolError<"refused"> {
  return new ToolError("refused", `Nothing was loaded: ${problem}. ${more}`, { reason: "code" });
}
