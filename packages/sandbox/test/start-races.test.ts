import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isSandboxError, type Probe, probe, run } from "../src/index.js";
import { drive } from "./support/drive.js";
import { ordinaryUser } from "./support/identity.js";
import { makePlayground, type Playground, policyFor } from "./support/playground.js";
import { noSandbox } from "./support/sandbox-here.js";

let place: Playground;

/** A bubblewrap before which something happens: what a background command could do between our look and the mount. */
async function bubblewrapAfter(script: string): Promise<Probe> {
  const found = await probe();
  const program = join(place.base, "bwrap");
  writeFileSync(program, `#!/bin/bash\ncd ${place.project}\n${script}\nexec ${found.program} "$@"\n`);
  chmodSync(program, 0o755);
  return { ...found, program };
}

async function kindOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => new Error("it ran"),
    (reason: unknown) => reason,
  );
  if (!isSandboxError(error)) throw error;
  return error.kind;
}

describe.skipIf(noSandbox !== undefined)("between the look at the policy's paths and their mounts", () => {
  beforeEach(() => {
    place = makePlayground({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
  });
  afterEach(() => place.remove());

  it.each([
    {
      why: "a folder above a pin becomes a link out",
      script: "mv .git old; ln -s ../../outside .git; mkdir -p ../../outside/hooks",
      pin: ".git/hooks",
    },
    {
      why: "a pin becomes a link out",
      script: "mv .git/hooks old; ln -s ../../../outside .git/hooks",
      pin: ".git/hooks",
    },
    {
      why: "a pinned file becomes a link to a hidden one",
      script: "rm .git/config; ln -s ../../../home/.netrc .git/config",
      pin: ".git/config",
    },
    { why: "a pin goes away", script: "mv .git/hooks old", pin: ".git/hooks" },
    {
      why: "a reserved place becomes a link out",
      script: "rm -r ai-jobs; ln -s ../../outside ai-jobs",
      pin: "ai-jobs",
    },
  ])("nothing runs when $why", async ({ script, pin }) => {
    const given = await bubblewrapAfter(script);
    const policy = policyFor(place.project, {
      readOnly: [join(place.project, pin)],
      hidden: [join(place.home, ".netrc"), join(place.home, ".ssh")],
    });
    const attempt = run(["bash", "-c", "touch ran; touch ../../outside/escaped"], policy, { probe: given });
    expect(["weak", "start"]).toContain(await kindOf(attempt));
    expect(existsSync(join(place.project, "ran"))).toBe(false);
    expect(readdirSync(place.outside)).not.toContain("escaped");
  });

  it("the pin still holds when all stays as it was", async () => {
    const policy = policyFor(place.project, { readOnly: [join(place.project, ".git/hooks")] });
    const result = await run(["bash", "-c", "touch ran; touch .git/hooks/no"], policy, {
      probe: await bubblewrapAfter("true"),
    });
    expect(result.exitCode).toBe(1);
    expect(existsSync(join(place.project, "ran"))).toBe(true);
  });

  it("a reserved place that somebody fills meanwhile is kept, and stays closed inside", async () => {
    const jobs = join(place.project, "ai-jobs");
    const policy = policyFor(place.project, { readOnly: [jobs] });
    const result = await run(["bash", "-c", "ls -A ai-jobs; touch ai-jobs/no"], policy, {
      probe: await bubblewrapAfter("touch ai-jobs/yes"),
    });
    expect([result.exitCode, result.stdout.head.length]).toEqual([1, 0]);
    expect(readdirSync(jobs)).toEqual(["yes"]);
  });
});

describe.skipIf(noSandbox !== undefined || process.getuid?.() !== 0)(
  "a file system mounted where an ordinary user cannot look",
  () => {
    it("does not keep a sandbox from starting", ({ skip }) => {
      const identity = ordinaryUser();
      skip(identity.missing !== undefined, identity.missing);
      const there = makePlayground(identity);
      const mounted = join(there.base, "private/mounted");
      mkdirSync(mounted, { recursive: true });
      chmodSync(join(there.base, "private"), 0o700);
      execFileSync("mount", ["-t", "tmpfs", "none", mounted]);
      try {
        const [result] = drive(identity, there, [
          { name: "one", command: ["true"], policy: policyFor(there.project) },
        ]);
        expect(result).toMatchObject({ outcome: "exited", exitCode: 0 });
      } finally {
        execFileSync("umount", [mounted]);
        there.remove();
        identity.remove();
      }
    });
  },
);

describe.skipIf(noSandbox !== undefined)("two lanes of calls in one folder without .git", () => {
  it("do not take each other's places for folders of the user's, and leave none", async () => {
    const lone = makePlayground({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
    const folder = join(lone.project, "plain");
    mkdirSync(folder);
    const policy = policyFor(folder, {
      readOnly: [join(folder, ".git/hooks"), join(folder, ".git/config")],
    });
    const lane = async (): Promise<void> => {
      for (let call = 0; call < 12; call += 1) expect((await run(["true"], policy)).exitCode).toBe(0);
    };
    await Promise.all([lane(), lane()]);
    expect(readdirSync(folder)).toEqual([]);
    lone.remove();
  }, 120_000);
});
