import type { Question } from "@ashlar/context/tool";
import { checkFields, checkText } from "../argument-check.js";
import { ToolError } from "../tool-error.js";
import { QUESTION_LIMITS, type QuestionInput, type QuestionItem } from "./question-input.js";

const LIMITS = QUESTION_LIMITS;
const FIELDS = ["question", "header", "details", "multiSelect", "options"] as const;
const OPTION_FIELDS = ["label", "description", "preview"] as const;

/** The questions as a bridge takes them. Throws kind `usage` for what does not fit a screen or cannot be told apart. */
export function checkQuestions(input: QuestionInput): readonly Question[] {
  checkFields("question", input, ["questions"]);
  checkCount("questions", input.questions, { least: 1, most: LIMITS.questions });
  return input.questions.map((item, index) => checkQuestion(item, `questions[${index}]`));
}

function checkQuestion(item: QuestionItem, at: string): Question {
  checkFields(at, item, FIELDS);
  const { question, header, details, multiSelect, options } = item;
  checkLength(`${at}.question`, question, LIMITS.text);
  checkLength(`${at}.header`, header, LIMITS.header);
  if (details !== undefined) checkLength(`${at}.details`, details, LIMITS.text);
  checkCount(`${at}.options`, options, { least: 2, most: LIMITS.options });
  const labels = new Set<string>();
  return {
    question,
    header,
    ...(details === undefined ? {} : { details }),
    ...(multiSelect === undefined ? {} : { multiSelect }),
    options: options.map((option, index) => {
      const place = `${at}.options[${index}]`;
      checkFields(place, option, OPTION_FIELDS);
      const { label, description, preview } = option;
      checkLength(`${place}.label`, label, LIMITS.label);
      checkLength(`${place}.description`, description, LIMITS.text);
      if (preview !== undefined) checkLength(`${place}.preview`, preview, LIMITS.text);
      if (labels.has(label.trim())) throw usage(`${place}.label`, `is there twice: ${JSON.stringify(label)}`);
      labels.add(label.trim());
      return { label, description, ...(preview === undefined ? {} : { preview }) };
    }),
  };
}

function checkLength(at: string, value: unknown, most: number): void {
  const text = checkText(at, value);
  const length = [...text].length;
  if (text.trim() === "") throw usage(at, "is empty");
  if (length > most) throw usage(at, `has ${length} characters; at most ${most} fit`);
}

function checkCount(
  at: string,
  list: unknown,
  { least, most }: { readonly least: number; readonly most: number },
): void {
  if (!Array.isArray(list)) throw usage(at, "is no list");
  if (list.length < least || list.length > most)
    throw usage(at, `has ${list.length}; wanted ${least} to ${most}`);
}

function usage(argument: string, problem: string): ToolError<"usage"> {
  return new ToolError("usage", `${argument} ${problem}.`, { argument });
}
