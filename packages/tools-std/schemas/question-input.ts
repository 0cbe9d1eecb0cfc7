import { z } from "zod";
import { QUESTION_LIMITS, type QuestionInput } from "../src/question/question-input.js";

const text = z.string().min(1).max(QUESTION_LIMITS.text);
const option = z.strictObject({
  label: z.string().min(1).max(QUESTION_LIMITS.label).describe("What is chosen, at most 60 characters."),
  description: text.describe("What choosing it means."),
  preview: text.optional().describe("Shown while the option is in view, such as code."),
});
const question = z.strictObject({
  question: text.describe("The whole question."),
  header: z.string().min(1).max(QUESTION_LIMITS.header).describe("Its subject, at most 16 characters."),
  details: text.optional().describe("What the person must know to answer."),
  multiSelect: z.boolean().optional().describe("More than one option may be chosen. Default false."),
  options: z
    .array(option)
    .min(2)
    .max(QUESTION_LIMITS.options)
    .describe("2 to 16 answers. An answer in own words is always possible and is not listed here."),
});

export const schema: z.ZodType<QuestionInput> = z.strictObject({
  questions: z
    .array(question)
    .min(1)
    .max(QUESTION_LIMITS.questions)
    .describe("1 to 4 questions, put together."),
});
