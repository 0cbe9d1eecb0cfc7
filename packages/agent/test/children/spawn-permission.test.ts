import type { Answer, Question } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { permitSpawn } from "../../src/children/spawn-permission.js";

const request = { names: ["a", "b"], prompt: "Look." };
const refused = (words: RegExp) =>
  expect.objectContaining({ kind: "refused", details: { reason: expect.stringMatching(words) } });

function person(...answers: readonly Answer[]) {
  const asked: Question[] = [];
  const ask = async (questions: readonly Question[]) => {
    asked.push(...questions);
    return answers.slice(asked.length - 1, asked.length);
  };
  return { asked, question: { ask } };
}
const capabilities = (spawn: boolean | undefined) => ({ write: true, network: true, spawn });

describe("workers", () => {
  it("are made without a question, or not at all, where that was decided", async () => {
    const { asked, question } = person({ labels: ["Allow"] });
    await permitSpawn(capabilities(true), request, question);
    await permitSpawn(capabilities(true), request, undefined);
    await expect(permitSpawn(capabilities(false), request, question)).rejects.toThrow(
      refused(/may have no workers/),
    );
    expect(asked).toEqual([]);
  });

  it("are not made where nobody can be asked", async () => {
    await expect(permitSpawn(capabilities(undefined), request, undefined)).rejects.toThrow(
      refused(/nobody is there/),
    );
  });

  it("are asked for each time, with their names and their task", async () => {
    const can = capabilities(undefined);
    const { asked, question } = person({ labels: ["Allow"] }, { labels: ["Refuse"] });
    await permitSpawn(can, request, question);
    await expect(permitSpawn(can, request, question)).rejects.toThrow(refused(/did not allow/));
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ question: "Make 2 workers: a, b?", details: "Look." });
    expect(can.spawn).toBeUndefined();
  });

  it.each([
    { answer: { text: "yes please" }, why: "words of their own" },
    { answer: { abandoned: true as const }, why: "no answer" },
    { answer: { labels: [] }, why: "no choice" },
  ])("are not made after $why", async ({ answer }) => {
    await expect(permitSpawn(capabilities(undefined), request, person(answer).question)).rejects.toThrow(
      refused(/did not allow/),
    );
  });

  it("are decided on for good by Always and Never", async () => {
    const always = capabilities(undefined);
    await permitSpawn(always, request, person({ labels: ["Always"] }).question);
    const never = capabilities(undefined);
    await expect(permitSpawn(never, request, person({ labels: ["Never"] }).question)).rejects.toThrow(
      refused(/did not allow/),
    );
    expect([always.spawn, never.spawn]).toEqual([true, false]);
  });
});
