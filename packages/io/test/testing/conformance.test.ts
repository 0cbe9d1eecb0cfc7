import { describe, expect, it } from "vitest";
import { providerConformance, unmetNeed } from "../../src/testing/index.js";
import { chatSubject } from "./subjects/chat.js";
import { responsesSubject } from "./subjects/responses.js";

describe.each([
  { name: "OpenAI", subject: responsesSubject },
  { name: "OpenAIChat", subject: chatSubject },
])("$name", ({ subject }) => {
  const asked = providerConformance.filter((each) => unmetNeed(each, subject) === undefined);

  it.each(asked)("conforms: $name", ({ run }) => run(subject));

  it("is asked everything but what it does not have", () => {
    const left = providerConformance.filter((each) => !asked.includes(each)).map(({ name }) => name);
    expect(left).toEqual(["dependencies", "executed-calls", "executed-calls-keep-waiting"]);
  });
});
