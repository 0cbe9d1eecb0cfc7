import { chmodSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Probe, probe } from "../src/index.js";
import { type DrivenResult, type DrivenRun, drive } from "./support/drive.js";
import { type Identity, ordinaryUser } from "./support/identity.js";
import { makePlayground, type Playground, policyFor } from "./support/playground.js";
import { noSandbox } from "./support/sandbox-here.js";

describe.skipIf(noSandbox !== undefined)("for an ordinary user, a run", () => {
  let identity: Identity;
  let place: Playground;
  beforeAll(() => {
    identity = ordinaryUser();
    if (identity.missing === undefined) place = makePlayground(identity);
    else console.log(`not run as ${identity.name}: ${identity.missing}`);
  });
  beforeEach(({ skip }) => skip(identity.missing !== undefined, identity.missing));
  afterAll(() => {
    if (identity.missing === undefined) place.remove();
    identity.remove();
  });

  const one = (change: Partial<DrivenRun>): DrivenResult | undefined =>
    drive(identity, place, [
      { name: "one", command: ["true"], policy: policyFor(place.project), ...change },
    ])[0];

  it("fails to start when bubblewrap has gone since it was probed", async () => {
    const gone: Probe = { ...(await probe()), program: "/nowhere/bwrap" };
    const result = one({ options: { probe: gone } });
    expect(result).toMatchObject({ kind: "start", error: expect.stringContaining("/nowhere/bwrap") });
  });

  it("ends even if its program leaves a folder in which nothing can be removed", () => {
    const policy = policyFor(place.project, { readOnly: [join(place.project, "ai-jobs")] });
    const result = one({ command: ["chmod", "555", "."], policy });
    expect(result).toMatchObject({ outcome: "exited", exitCode: 0 });
    expect(readdirSync(place.project)).toContain("ai-jobs");
    chmodSync(place.project, 0o755);
    expect(one({ command: ["ls", "-A", "ai-jobs"], policy })).toMatchObject({ exitCode: 0, stdout: "" });
    expect(readdirSync(place.project)).not.toContain("ai-jobs");
  });

  it("keeps a pin that is written by way of a link", () => {
    symlinkSync(place.project, join(place.base, "alias"));
    const readOnly = [join(place.base, "alias/.git/hooks")];
    const result = one({
      command: ["touch", ".git/hooks/no"],
      policy: policyFor(place.project, { readOnly }),
    });
    expect(result).toMatchObject({ outcome: "exited", exitCode: 1 });
    expect(readdirSync(join(place.project, ".git/hooks"))).toEqual([]);
  });

  it("refuses a write root that leads where none may be", () => {
    const link = join(place.base, "devices");
    symlinkSync("/dev", link);
    expect(one({ policy: policyFor(place.project, { writeRoots: [link] }) })).toMatchObject({
      kind: "usage",
    });
  });
});
