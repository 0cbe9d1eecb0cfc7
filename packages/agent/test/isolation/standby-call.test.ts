import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { noSandboxHere, openSandboxed, resultText, toolModule } from "../support/sandboxed-agent.js";

const unavailable = await noSandboxHere();
const ATTEMPTS = 40;

describe.skipIf(unavailable !== undefined)("a call after another one", () => {
  it("runs in a process that was started before it was asked for", { timeout: 60_000 }, async () => {
    const born = toolModule("born", "return String(performance.timeOrigin);");
    const { call } = await openSandboxed({ modules: { "born.js": born } });
    const asked: number[] = [];
    const started: number[] = [];
    while (started.length < ATTEMPTS && !started.some((time, index) => time < (asked[index] ?? 0))) {
      asked.push(Date.now());
      started.push(Number(resultText(await call("born"))));
      // Until the next process waits.
      await delay(started.length * 50);
    }
    expect(started[0]).toBeGreaterThan(asked[0] ?? Number.POSITIVE_INFINITY);
    expect(started.at(-1)).toBeLessThan(asked.at(-1) ?? 0);
  });
});
