import type { Answer, Question, ToolContext } from "@ashlar/context/tool";
import { ToolError } from "../tool-error.js";
import { decodeAnswers } from "./answers.js";
import { checkQuestions } from "./question-check.js";
import type { QuestionInput } from "./question-input.js";

const ON_YOUR_OWN = "Go on with your best judgement and say in your answer what you decided.";

/** Asks the person in front of the host. Throws kind `refused` when nobody is there. */
export async function question(input: QuestionInput, { question: bridge }: ToolContext): Promise<string> {
  const questions = checkQuestions(input);
  if (bridge === null) {
    throw new ToolError("refused", `Nobody is there to answer. ${ON_YOUR_OWN}`, { reason: "nobody to ask" });
  }
  const answers = decodeAnswers(await bridge.ask(questions), questions.length);
  const lines = questions.map((one, index) => answerText(one, answers[index] ?? { abandoned: true }));
  const open = lines.some(({ answered }) => !answered) ? [ON_YOUR_OWN] : [];
  return [...lines.map(({ text }) => text), ...open].join("\n");
}

interface AnswerText {
  readonly text: string;
  readonly answered: boolean;
}

/** Labels that were not offered are no answer; of several, only the first counts where one was asked for. */
function answerText({ header, options, multiSelect = false }: Question, answer: Answer): AnswerText {
  if ("text" in answer) return { text: `${header}: in their own words: ${answer.text}`, answered: true };
  const offered =
    "labels" in answer ? answer.labels.filter((label) => options.some((one) => one.label === label)) : [];
  const chosen = [...new Set(offered)].slice(0, multiSelect ? options.length : 1);
  if (chosen.length === 0) return { text: `${header}: no answer.`, answered: false };
  return { text: `${header}: ${chosen.map((label) => JSON.stringify(label)).join(", ")}`, answered: true };
}
