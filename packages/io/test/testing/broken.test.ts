import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineProvider } from "@ashlar/context/provider";
import { afterAll, describe, expect, it } from "vitest";
import { providerConformance, runProviderConformance } from "../../src/testing/index.js";
import { brokenAnswers } from "./broken/answers.js";
import { brokenCalls } from "./broken/calls.js";
import { brokenErrors } from "./broken/errors.js";
import { brokenLifetimes } from "./broken/lifetime.js";
import { brokenPackages } from "./broken/package.js";
import { brokenRequests } from "./broken/requests.js";
import { Relay } from "./relay/relay.js";
import { relaySubject } from "./relay/subject.js";

const right = packageFolder({ "@ashlar/context": "^1.0.0" });
const wrong = packageFolder({ "@ashlar/context": "^1.0.0", "@ashlar/io": "^1.0.0" });

const broken = [
  ...brokenPackages(wrong),
  ...brokenAnswers,
  ...brokenCalls,
  ...brokenErrors,
  ...brokenLifetimes,
  ...brokenRequests,
];

afterAll(() => {
  for (const folder of [right, wrong]) rmSync(folder, { recursive: true });
});

describe("the conformance kit", () => {
  it.each(providerConformance)("passes a provider that does everything right: $name", ({ run }) =>
    run(relaySubject(Relay, { folder: right })),
  );

  it.each(broken)("finds by $fails a provider that $mistake", async ({ fails, says, subject }) => {
    const found = providerConformance.find(({ name }) => name === fails);
    await expect(found?.run(subject)).rejects.toMatchObject({
      name: "ConformanceFailure",
      message: expect.stringMatching(says),
    });
  });

  it("proves each of its cases by a provider that fails it", () => {
    const proved = new Set(broken.map(({ fails }) => fails));
    expect(providerConformance.map(({ name }) => name).filter((name) => !proved.has(name))).toEqual([]);
  });

  it("leaves a misspelt member to defineProvider, which names the right one", () => {
    class Misspelt extends Relay {
      msg2event(): readonly never[] {
        return [];
      }
    }
    // @ts-expect-error the type says the same: msg2event is no member of the contract
    expect(() => defineProvider(Misspelt)).toThrow(
      expect.objectContaining({ kind: "contract", message: expect.stringContaining("msg2events") }),
    );
  });
});

describe("the report of a run", () => {
  it("names what passed, and what cannot be asked with its reason", async () => {
    const report = await runProviderConformance(relaySubject(Relay));
    expect(report).toMatchObject({ ok: true, provider: "Relay", contract: 1 });
    expect(report.results.filter(({ outcome }) => outcome !== "passed")).toEqual([
      { name: "dependencies", outcome: "excused", reason: "no package folder was given" },
    ]);
  });

  it("says what failed with what came and why it matters, and takes a true excuse", async () => {
    const subject = brokenAnswers.find(({ fails }) => fails === "usage")?.subject ?? relaySubject(Relay);
    const failed = await runProviderConformance(subject);
    expect(failed.ok).toBe(false);
    expect(failed.results).toContainEqual({
      name: "usage",
      outcome: "failed",
      reason: expect.stringMatching(/expected usage .*Budgets/s),
    });
    const excused = await runProviderConformance({
      ...subject,
      excuses: { usage: "this server counts nothing" },
    });
    expect(excused.ok).toBe(true);
    expect(excused.results).toContainEqual({
      name: "usage",
      outcome: "excused",
      reason: "this server counts nothing",
    });
  });

  it("reports an excuse that is not needed, and one for a case that does not exist", async () => {
    const excuses = { text: "lazy", tecst: "typo" };
    const report = await runProviderConformance(relaySubject(Relay, { excuses }));
    expect(report.results.filter(({ outcome }) => outcome === "failed")).toEqual([
      { name: "tecst", outcome: "failed", reason: expect.stringContaining("does not exist") },
      { name: "text", outcome: "failed", reason: expect.stringContaining("take the excuse away") },
    ]);
  });

  it("is a report also for what is no provider at all", async () => {
    class Nothing extends Relay {
      static override readonly contract = 9;
    }
    const report = await runProviderConformance(relaySubject(Nothing));
    expect(report.ok).toBe(false);
    expect(report.results).toContainEqual(expect.objectContaining({ name: "metadata", outcome: "failed" }));
  });
});

function packageFolder(dependencies: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "conformance-"));
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ name: "ashlar-provider-relay", dependencies }),
  );
  return folder;
}
