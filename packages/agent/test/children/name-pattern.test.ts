import { describe, expect, it } from "vitest";
import { selectNames } from "../../src/children/name-pattern.js";

const open = ["test-unit", "test-web", "Docs"];
const wrong = (words: RegExp) =>
  expect.objectContaining({
    kind: "usage",
    details: { argument: "workers" },
    message: expect.stringMatching(words),
  });

describe("the workers that are meant", () => {
  it.each([
    { asked: ["*"], found: open, why: "all" },
    { asked: ["Docs"], found: ["Docs"], why: "a name" },
    {
      asked: ["Docs", "test-web", "Docs"],
      found: ["test-web", "Docs"],
      why: "names, each once, in their order",
    },
    { asked: ["/^test-/"], found: ["test-unit", "test-web"], why: "a pattern" },
    { asked: ["/^docs$/i"], found: ["Docs"], why: "a pattern of any case" },
    { asked: ["/unit/", "Docs"], found: ["test-unit", "Docs"], why: "both" },
  ])("are found by $why", ({ asked, found }) => {
    expect(selectNames(asked, open)).toEqual(found);
  });

  it.each([
    { asked: [], words: /nobody is named/, why: "nothing" },
    {
      asked: ["test-wep"],
      words: /no worker "test-wep"\. Did you mean "test-web"\?/,
      why: "a misspelt name",
    },
    { asked: ["docs"], words: /no worker "docs"/, why: "another case" },
    { asked: ["/none/"], words: /fits no worker/, why: "a pattern that fits none" },
    { asked: ["/(/"], words: /is no pattern/, why: "a broken pattern" },
    { asked: ["/x/g"], words: /no worker/, why: "a flag that means nothing here" },
    { asked: [`/${"a".repeat(201)}/`], words: /at most 200 characters/, why: "an endless pattern" },
    { asked: ["Docs", "gone"], words: /no worker "gone"/, why: "one that is not there" },
  ])("are not $why", ({ asked, words }) => {
    expect(() => selectNames(asked, open)).toThrow(wrong(words));
  });

  it("are none where there are none", () => {
    expect(() => selectNames(["*"], [])).toThrow(wrong(/there are no workers/));
  });

  it("are not looked for by a pattern that never ends", () => {
    const names = [`${"a".repeat(63)}b`];
    for (const pattern of ["/^(a+)+$/", "/^(a|a)*$/", "/(a*)*c/", "/^(?:a?){63}a{63}$/"])
      expect(() => selectNames([pattern], names), pattern).toThrow(wrong(/takes too long|fits no worker/));
    expect(() => selectNames(["/^(a+)+$/"], names)).toThrow(wrong(/takes too long/));
  });
});
