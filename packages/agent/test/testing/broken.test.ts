import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { runToolPackConformance, toolPackConformance, unmetNeed } from "../../src/testing/index.js";
import { brokenPacks } from "./broken/broken-packs.js";
import { brokenPack, goodPack } from "./pack-subject.js";

const reasons = new Map(
  await Promise.all(toolPackConformance.map(async (each) => [each.name, await unmetNeed(each)] as const)),
);
const sandboxless = [...reasons.values()].find((reason) => reason !== undefined);

afterAll(() => {
  if (sandboxless !== undefined) console.log(`not run: ${sandboxless}`);
});

describe("the tool-pack kit", () => {
  it.each(toolPackConformance)("passes a package that does everything right: $name", async (each) => {
    if (reasons.get(each.name) === undefined) await expect(each.run(goodPack)).resolves.toBeUndefined();
    else await expect(each.run(goodPack)).rejects.toMatchObject({ kind: "unavailable" });
  });

  it.for(brokenPacks)(
    "finds by $fails a package that $mistake",
    async ({ fails, says, subject }, { skip }) => {
      skip(reasons.get(fails) !== undefined, reasons.get(fails));
      const found = toolPackConformance.find(({ name }) => name === fails);
      await expect(found?.run(subject)).rejects.toMatchObject({
        name: "ConformanceFailure",
        message: expect.stringMatching(says),
      });
    },
  );

  it("proves each of its cases by a package that fails it", () => {
    const proved = new Set(brokenPacks.map(({ fails }) => fails));
    expect(toolPackConformance.map(({ name }) => name).filter((name) => !proved.has(name))).toEqual([]);
  });

  it("leaves no trace of a liar on the real disk", async ({ skip }) => {
    skip(sandboxless !== undefined, sandboxless);
    const liars = { "writes-at-import": "import-changes-nothing", "safe-and-writes": "safe-tools" };
    for (const [name, fails] of Object.entries(liars)) {
      const { folder, calls } = brokenPack(name);
      const found = toolPackConformance.find((each) => each.name === fails);
      await expect(found?.run({ folder, calls })).rejects.toMatchObject({ name: "ConformanceFailure" });
      expect(readdirSync(folder).sort()).toEqual(["package.json", "tools"]);
    }
    const places = [homedir(), process.cwd(), "/etc", fileURLToPath(new URL(".", import.meta.url))];
    expect(places.filter((place) => existsSync(`${place}/planted.txt`))).toEqual([]);
  });
});

describe("the report of a run", () => {
  it("names a liar, says what failed, what came and why it matters, and takes a true excuse", async ({
    skip,
  }) => {
    skip(sandboxless !== undefined, sandboxless);
    const subject = brokenPack("safe-and-writes");
    const excuses = { confinement: "it is a liar", tecst: "typo", results: "lazy" };
    const report = await runToolPackConformance({ ...subject, excuses });
    expect(report).toMatchObject({ ok: false, complete: true, folder: subject.folder });
    const outcomes = Object.fromEntries(report.results.map(({ name, outcome }) => [name, outcome]));
    expect(outcomes).toMatchObject({
      import: "passed",
      confinement: "excused",
      changes: "failed",
      "safe-tools": "failed",
    });
    expect(report.results).toContainEqual({
      name: "safe-tools",
      outcome: "failed",
      reason: expect.stringMatching(/came agent\/planted.txt.*runs without asking/s),
    });
    expect(report.results).toContainEqual({
      name: "results",
      outcome: "failed",
      reason: expect.stringContaining("take the excuse away"),
    });
    expect(report.results).toContainEqual({
      name: "tecst",
      outcome: "failed",
      reason: expect.stringContaining("does not exist"),
    });
  });

  it("never calls a case passed that this machine cannot run", async () => {
    const before = process.env.ASHLAR_OS_SANDBOX;
    process.env.ASHLAR_OS_SANDBOX = "none";
    try {
      const { ok, complete, results } = await runToolPackConformance(goodPack);
      expect({ ok, complete }).toEqual({ ok: true, complete: false });
      expect(results.filter(({ outcome }) => outcome === "passed").map(({ name }) => name)).toEqual([
        "contract",
        "dependencies",
      ]);
      const others = results.filter(({ outcome }) => outcome === "not run");
      expect(others).toHaveLength(toolPackConformance.length - 2);
      for (const { reason } of others) expect(reason).toMatch(/no sandbox works here: .*ASHLAR_OS_SANDBOX/);
    } finally {
      if (before === undefined) delete process.env.ASHLAR_OS_SANDBOX;
      else process.env.ASHLAR_OS_SANDBOX = before;
    }
  });

  it("is a report also for what is no package at all", async () => {
    const report = await runToolPackConformance({ folder: "/nowhere", calls: [] });
    expect(report.ok).toBe(false);
    expect(report.results).toContainEqual(
      expect.objectContaining({
        name: "contract",
        outcome: "failed",
        reason: expect.stringContaining("ENOENT"),
      }),
    );
  });
});
