import type { QuestionBridge } from "@ashlar/context/tool";
import { decodeAnswers } from "../question/answers.js";
import { ToolError } from "../tool-error.js";

const ALLOW = "Allow";

export interface PermissionRequest {
  /** A sentence, without its full stop. */
  readonly problem: string;
  /** How to do without permission, a sentence. */
  readonly otherwise: string;
  readonly path: string;
  readonly reason: string;
  /** Shown to the person: the lines it is about. */
  readonly preview: string;
}

export interface PermissionAsker {
  /** The call asked for the question to be put. */
  readonly ask: boolean;
  readonly question: QuestionBridge | null;
}

/** Returns when a person allowed it. Throws kind `refused` when nobody did. */
export async function requirePermission(
  request: PermissionRequest,
  { ask, question }: PermissionAsker,
): Promise<void> {
  const { problem, otherwise, preview } = request;
  if (question === null) throw refusal(request, `Nobody is there to ask. ${otherwise}`);
  if (!ask) throw refusal(request, `${otherwise} Or set ask: true to ask the person.`);
  const answers = await question.ask([
    {
      question: `${problem.charAt(0).toUpperCase()}${problem.slice(1)}. Write it?`,
      header: "Permission",
      details: preview,
      options: [
        { label: ALLOW, description: "Write it as it is." },
        { label: "Refuse", description: "Write nothing." },
      ],
    },
  ]);
  const [answer] = decodeAnswers(answers, 1);
  if (answer !== undefined && "labels" in answer && answer.labels.includes(ALLOW)) return;
  const said = answer !== undefined && "text" in answer ? ` They said: ${answer.text}` : "";
  throw refusal(request, `The person did not allow it.${said}`);
}

function refusal({ problem, path, reason }: PermissionRequest, more: string): ToolError<"refused"> {
  return new ToolError("refused", `Nothing was written: ${problem}. ${more}`, { path, reason });
}
