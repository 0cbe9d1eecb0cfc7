import type { Answer, QuestionBridge } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import type { QuestionInput } from "../../src/question/question-input.js";
import * as tool from "../../src/tools/question.js";
import { failureOf } from "../support/failure.js";
import { project, toolContext } from "../support/project.js";

const options = [
  { label: "SQLite", description: "One file" },
  { label: "Postgres", description: "A server", preview: "docker run" },
];
const one = { question: "Which database?", header: "Database", options };

/** A bridge that gives this, whatever it is. */
function answering(given: unknown): QuestionBridge {
  // A bridge of another process may give anything.
  return { ask: async () => given as readonly Answer[] };
}

const ask = (input: QuestionInput, bridge?: QuestionBridge): Promise<string> =>
  tool.question(input, toolContext(project(), bridge === undefined ? {} : { question: bridge }));

describe("question", () => {
  it("puts the questions as they are, and gives the answers", async () => {
    const asked: unknown[] = [];
    const bridge: QuestionBridge = {
      ask: async (questions) => {
        asked.push(questions);
        return [{ labels: ["Postgres"] }, { text: " both, later \n" }];
      },
    };
    const questions = [
      { ...one, details: "It stays." },
      { ...one, header: "Cache", multiSelect: true },
    ];
    expect(await ask({ questions }, bridge)).toBe(
      'Database: "Postgres"\nCache: in their own words: both, later',
    );
    expect(asked).toEqual([questions]);
  });

  it.each([
    {
      why: "several labels where several may be",
      given: [{ labels: ["SQLite", "Postgres", "SQLite"] }],
      multi: true,
      says: 'Database: "SQLite", "Postgres"',
    },
    {
      why: "several labels where one is asked for",
      given: [{ labels: ["SQLite", "Postgres"] }],
      multi: false,
      says: 'Database: "SQLite"',
    },
    {
      why: "a label that was not offered",
      given: [{ labels: ["Oracle", "SQLite"] }],
      multi: true,
      says: 'Database: "SQLite"',
    },
  ])("makes one answer of what a host gives: $why", async ({ given, multi, says }) => {
    expect(await ask({ questions: [{ ...one, multiSelect: multi }] }, answering(given))).toBe(says);
  });

  it.each([
    { why: "abandoned", given: [{ abandoned: true }] },
    { why: "no label", given: [{ labels: [] }] },
    { why: "only labels that were not offered", given: [{ labels: ["Oracle", 7] }] },
    { why: "an empty text", given: [{ text: "  " }] },
    { why: "nothing", given: null },
    { why: "too few", given: [] },
    { why: "something else", given: ["SQLite"] },
  ])("tells the model to go on by itself without an answer: $why", async ({ given }) => {
    expect(await ask({ questions: [one] }, answering(given))).toBe(
      "Database: no answer.\nGo on with your best judgement and say in your answer what you decided.",
    );
  });

  it("is refused when nobody is there", async () => {
    expect(await failureOf(ask({ questions: [one] }))).toBe(
      "refused: Nobody is there to answer. Go on with your best judgement and say in your answer what you decided.",
    );
  });

  it.each([
    { why: "no question", input: { questions: [] }, says: "questions has 0; wanted 1 to 4" },
    {
      why: "five questions",
      input: { questions: [one, one, one, one, one] },
      says: "questions has 5; wanted 1 to 4",
    },
    {
      why: "a long header",
      input: { questions: [{ ...one, header: "seventeen letters" }] },
      says: "questions[0].header has 17 characters; at most 16 fit",
    },
    {
      why: "a blank question",
      input: { questions: [{ ...one, question: " " }] },
      says: "questions[0].question is empty",
    },
    {
      why: "one option",
      input: { questions: [{ ...one, options: options.slice(1) }] },
      says: "questions[0].options has 1; wanted 2 to 16",
    },
    {
      why: "17 options",
      input: { questions: [{ ...one, options: Array(17).fill(options[0]) }] },
      says: "questions[0].options has 17; wanted 2 to 16",
    },
    {
      why: "a long label",
      input: { questions: [{ ...one, options: [{ label: "x".repeat(61), description: "y" }, options[0]] }] },
      says: "questions[0].options[0].label has 61 characters; at most 60 fit",
    },
    {
      why: "the same label twice",
      input: { questions: [{ ...one, options: [options[0], options[0]] }] },
      says: 'questions[0].options[1].label is there twice: "SQLite"',
    },
    {
      why: "no description",
      input: { questions: [{ ...one, options: [{ label: "a" }, options[0]] }] },
      says: "questions[0].options[0].description: wanted a string, came nothing",
    },
    {
      why: "an unknown field",
      input: { questions: [{ ...one, title: "x" }] },
      says: 'questions[0] has no field "title"',
    },
    { why: "no list", input: { questions: "Which?" }, says: "questions is no list" },
  ])("names what does not fit: $why", async ({ input, says }) => {
    // As it comes from a model: whatever JSON holds.
    const sent: QuestionInput = JSON.parse(JSON.stringify(input));
    const failure = await failureOf(ask(sent, answering([])));
    expect(failure).toMatch(/^usage: /);
    expect(failure).toContain(says);
  });

  it("counts characters, not halves of them", async () => {
    const questions = [{ ...one, header: "🙂".repeat(16) }];
    expect(await ask({ questions }, answering([{ labels: ["SQLite"] }]))).toContain('"SQLite"');
  });

  it("is safe and needs a person", () => {
    expect(tool.toolDescription().question).toMatchObject({ safe: true, interactive: true });
  });
});
