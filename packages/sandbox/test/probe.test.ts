import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProgram } from "../src/find-program.js";
import { credentialPaths, isSandboxError, type Probe, probe, run, worker } from "../src/index.js";
import { policyFor } from "./support/playground.js";
import { noSandbox } from "./support/sandbox-here.js";

const NOTHING = { files: false, network: false, processes: false };
let folder: string;

/** A folder for PATH that holds one program. */
function pathWith(name: string, program: string, script: string): string {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  writeFileSync(join(path, program), script);
  chmodSync(join(path, program), 0o755);
  return path;
}

/** A program that claims to be bubblewrap, and starts what it is given with less around it. */
const pretender = (words: string): string => `#!/bin/bash
[ "$1" = --version ] && echo "bubblewrap 9.9.9" && exit
while [ "$1" != -- ]; do shift; done
shift
${words}
`;

describe("a probe", () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "ashlar-probe-test-"));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it.skipIf(noSandbox !== undefined)(
    "tells the mechanism that was really run, and what it confines",
    async () => {
      expect(await probe()).toEqual({
        mechanism: "bubblewrap",
        confines: { files: true, network: true, processes: true },
        program: expect.stringMatching(/\/bwrap$/),
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      });
    },
  );

  it
    .skipIf(process.platform !== "linux")
    .each<{ why: string; environment: () => Record<string, string>; reason: RegExp; remedy: RegExp }>([
      {
        why: "bubblewrap is not on PATH",
        environment: () => ({ PATH: join(folder, "nothing") }),
        reason: /not on PATH/,
        remedy: /apt-get install bubblewrap/,
      },
      { why: "there is no PATH", environment: () => ({}), reason: /not on PATH/, remedy: /Install it/ },
      {
        why: "the setting forbids it",
        environment: () => ({ PATH: "/usr/bin", ASHLAR_OS_SANDBOX: "none" }),
        reason: /ASHLAR_OS_SANDBOX=none/,
        remedy: /Unset/,
      },
      {
        why: "the setting is something unknown",
        environment: () => ({ PATH: "/usr/bin", ASHLAR_OS_SANDBOX: "off" }),
        reason: /"off", which means nothing/,
        remedy: /Unset/,
      },
      {
        why: "it is too old",
        environment: () => ({ PATH: pathWith("old", "bwrap", "#!/bin/sh\necho bubblewrap 0.6.1\n") }),
        reason: /0\.6\.1 is too old/,
        remedy: /0\.8\.0/,
      },
      {
        why: "it is something else",
        environment: () => ({ PATH: pathWith("other", "bwrap", "#!/bin/sh\necho hello\n") }),
        reason: /does not tell its version/,
        remedy: /Install/,
      },
      {
        why: "the kernel refuses",
        environment: () => ({
          PATH: pathWith(
            "refused",
            "bwrap",
            pretender("echo 'bwrap: No permissions to create a new namespace' >&2; exit 1"),
          ),
        }),
        reason: /could not set the sandbox up/,
        remedy: /./,
      },
      {
        why: "it only pretends to confine",
        environment: () => ({ PATH: pathWith("pretends", "bwrap", pretender('exec "$@"')) }),
        reason: /weaker than asked.*capabilities|weaker than asked.*filter/,
        remedy: /./,
      },
      {
        why: "it exists only among a project's own programs",
        environment: () => ({ PATH: pathWith("node_modules/.bin", "bwrap", pretender('exec "$@"')) }),
        reason: /not on PATH/,
        remedy: /./,
      },
    ])("says exactly why there is none, and what to do: $why", async ({ environment, reason, remedy }) => {
    const found = await probe({ environment: environment() });
    expect(found).toMatchObject({ mechanism: "none", confines: NOTHING });
    expect(found.reason).toMatch(reason);
    expect(found.remedy).toMatch(remedy);
  });

  it.skipIf(noSandbox !== undefined)(
    "takes no real bubblewrap that is told to do less for a sandbox",
    async () => {
      const { program = "" } = await probe();
      const weak = `exec ${program} --ro-bind / / --dev /dev --proc /proc --die-with-parent -- "$@"`;
      const found = await probe({ environment: { PATH: pathWith("weak", "bwrap", pretender(weak)) } });
      expect(found.mechanism).toBe("none");
      expect(found.reason).toMatch(/weaker than asked/);
    },
  );

  it("is made once for each environment that matters", async () => {
    const environment = { PATH: "/nowhere", OTHER: "1" };
    expect(probe({ environment })).toBe(probe({ environment: { ...environment, OTHER: "2" } }));
    expect(probe({ environment })).not.toBe(probe({ environment: { PATH: "/elsewhere" } }));
  });

  it("that found nothing lets nothing run", async () => {
    const none: Probe = await probe({ environment: { PATH: "/nowhere" } });
    const policy = policyFor(folder);
    const attempts = [
      run(["true"], policy, { probe: none }),
      worker(import.meta.filename, policy, { probe: none, onMessage: () => undefined }),
    ];
    for (const attempt of attempts) {
      const error: unknown = await attempt.catch((reason: unknown) => reason);
      expect(isSandboxError(error) && error.kind).toBe("unavailable");
      expect(error).toMatchObject({ details: { reason: none.reason, remedy: none.remedy } });
      expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: "SandboxError", kind: "unavailable" });
    }
  });
});

describe("programs on a PATH", () => {
  it("are found in its absolute folders, in order, if they can be run", () => {
    const base = mkdtempSync(join(tmpdir(), "ashlar-path-test-"));
    for (const name of ["a", "b", "c"]) mkdirSync(join(base, name));
    writeFileSync(join(base, "a/tool"), "not to be run", { mode: 0o644 });
    mkdirSync(join(base, "b/tool"));
    writeFileSync(join(base, "c/real"), "", { mode: 0o755 });
    symlinkSync(join(base, "c/real"), join(base, "c/tool"));
    expect(findProgram("tool", `:.:relative:${base}/a:${base}/b:${base}/c`)).toBe(join(base, "c/tool"));
    expect(findProgram("tool", "")).toBeUndefined();
    rmSync(base, { recursive: true });
  });
});

describe("paths of credentials", () => {
  it("lie below the home folder, however it is written, or in the system's own places", () => {
    expect(credentialPaths("/home/me/")).toEqual(credentialPaths("/home/me"));
    expect(credentialPaths("/home/me")).toEqual(
      expect.arrayContaining(["/home/me/.ssh", "/home/me/.netrc", "/etc/shadow"]),
    );
    expect(
      credentialPaths("/home/me").every((path) => path.startsWith("/home/me/") || path.startsWith("/etc/")),
    ).toBe(true);
  });
});
