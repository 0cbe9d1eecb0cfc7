import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { outputText, run } from "../src/index.js";
import { makePlayground, type Playground, policyFor } from "./support/playground.js";
import { noSandbox } from "./support/sandbox-here.js";

let place: Playground;

/** Runs a script; when it says so, a file of the project is replaced from outside, as editors save. */
async function replacedMeanwhile(name: string, script: string, changes: object): Promise<string> {
  const file = join(place.project, name);
  const result = await run(
    ["bash", "-c", `echo ready; while [ ! -e go ]; do sleep 0.02; done; ${script}`],
    policyFor(place.project, changes),
    {
      onOutput: ({ bytes }) => {
        if (!new TextDecoder().decode(bytes).startsWith("ready")) return;
        writeFileSync(`${file}.new`, "new from outside\n");
        renameSync(`${file}.new`, file);
        writeFileSync(join(place.project, "go"), "");
      },
    },
  );
  return outputText(result.stdout).replace("ready\n", "");
}

describe.skipIf(noSandbox !== undefined)("a file that is replaced from outside while a program runs", () => {
  beforeEach(() => {
    place = makePlayground({ uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 });
    for (const name of ["pinned.json", "secret.json"])
      writeFileSync(join(place.project, name), "as it was\n");
  });
  afterEach(() => place.remove());

  // The kernel takes a mount away with the file it lies on. A folder that is pinned or hidden keeps its mount.
  it("stays open: loses its pin until the next call", async () => {
    const pinned = join(place.project, "pinned.json");
    await replacedMeanwhile("pinned.json", "echo changed > pinned.json", { readOnly: [pinned] });
    expect(readFileSync(pinned, "utf8")).toBe("changed\n");
  });

  it("stays open: is seen until the next call, even if it was hidden", async () => {
    const hidden = [join(place.project, "secret.json")];
    expect(await replacedMeanwhile("secret.json", "cat secret.json", { hidden })).toBe("new from outside\n");
  });

  it("keeps its pin when it lies in a pinned folder", async () => {
    const readOnly = [join(place.project, ".git/hooks")];
    writeFileSync(join(place.project, ".git/hooks/one"), "as it was\n");
    const shown = await replacedMeanwhile(".git/hooks/one", "cat .git/hooks/one; echo no > .git/hooks/one", {
      readOnly,
    });
    expect(shown).toBe("new from outside\n");
    expect(readFileSync(join(place.project, ".git/hooks/one"), "utf8")).toBe("new from outside\n");
    expect(existsSync(join(place.project, "go"))).toBe(true);
  });
});
