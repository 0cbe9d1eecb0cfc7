import { describe, expect, it } from "vitest";
import { SharedAnswers } from "../../src/server/shared-answers.js";

function counting(answers: readonly (string | Error)[]): { ask: () => Promise<string>; asked: () => number } {
  let asked = 0;
  const ask = async (): Promise<string> => {
    const answer = answers[Math.min(asked, answers.length - 1)] ?? "";
    asked += 1;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return { ask, asked: () => asked };
}

describe("an answer that is shared", () => {
  it("is asked for once, also by those who come while it is on its way", async () => {
    const shared = new SharedAnswers(() => 0);
    const { ask, asked } = counting(["a"]);
    const first = shared.get("k", ask);
    expect(await Promise.all([first, shared.get("k", ask), shared.get("k", ask)])).toEqual(["a", "a", "a"]);
    expect(await shared.get("k", ask)).toBe("a");
    expect(asked()).toBe(1);
  });

  it("is asked for again after a minute", async () => {
    let now = 0;
    const shared = new SharedAnswers(() => now);
    const { ask } = counting(["old", "new"]);
    await shared.get("k", ask);
    now = 59_999;
    expect(await shared.get("k", ask)).toBe("old");
    now = 60_000;
    expect(await shared.get("k", ask)).toBe("new");
  });

  it("is one a key", async () => {
    const shared = new SharedAnswers(() => 0);
    expect(await shared.get("k", counting(["a"]).ask)).toBe("a");
    expect(await shared.get("l", counting(["b"]).ask)).toBe("b");
  });

  it("is not kept when it failed, and a failure of another's request does not count", async () => {
    const shared = new SharedAnswers(() => 0);
    const { ask, asked } = counting([new Error("cancelled"), "good"]);
    const first = shared.get("k", ask);
    const second = shared.get("k", ask);
    await expect(first).rejects.toThrow("cancelled");
    expect(await second).toBe("good");
    expect(await shared.get("k", ask)).toBe("good");
    expect(asked()).toBe(2);
  });

  it("gives way to newer ones when there are too many", async () => {
    const shared = new SharedAnswers(() => 0);
    const { ask, asked } = counting(["a"]);
    for (let key = 0; key <= 256; key += 1) await shared.get(String(key), ask);
    await shared.get("256", ask);
    expect(asked()).toBe(257);
    await shared.get("0", ask);
    expect(asked()).toBe(258);
  });
});
