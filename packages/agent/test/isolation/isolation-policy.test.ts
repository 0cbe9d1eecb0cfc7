import { mkdir, mkdtemp, realpath, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { builtEnvironment } from "../../src/isolation/built-environment.js";
import { isolationPolicy, type PolicyFacts } from "../../src/isolation/isolation-policy.js";
import { moduleFolder } from "../../src/isolation/module-folders.js";
import { placeStamps } from "../../src/isolation/place-stamps.js";
import { sandboxSettings } from "../../src/isolation/sandbox-settings.js";

const facts = (rest: Partial<PolicyFacts> = {}): PolicyFacts => ({
  folder: "/p",
  write: true,
  privateFolders: ["/h/.config/ashlar"],
  credentialFiles: ["/p/ai-auth-x.json"],
  secretPlaces: ["/h/.ssh", "/h/.ssh"],
  environment: { PATH: "/bin", HOME: "/h", LANG: "C", LC_ALL: "C", EDITOR: "vi", SSH_AUTH_SOCK: "/s" },
  environmentChosen: false,
  settings: sandboxSettings([]).settings,
  steering: [],
  writes: [],
  ...rest,
});

describe("the policy of a call", () => {
  it("lets a change write in the agent's folder only, less what decides what others run", () => {
    expect(isolationPolicy(facts())).toMatchObject({
      writeRoots: ["/p"],
      readOnly: ["/p/.git/hooks", "/p/.git/config", "/p/ai-settings.json", "/p/ai-jobs"],
      hidden: ["/h/.config/ashlar", "/h/.ssh", "/p/ai-auth-x.json"],
      network: "none",
      cwd: "/p",
    });
  });

  it("lets a call that changes nothing write nowhere", () => {
    expect(isolationPolicy(facts({ write: false }))).toMatchObject({ writeRoots: [], readOnly: [] });
  });

  it("holds what steers later agents, but for a call that says it writes there, or where the user opened it", () => {
    const steering = ["/p/AGENTS.md", "/p/ai-skills"];
    const held = (rest: Partial<PolicyFacts> = {}): readonly string[] =>
      isolationPolicy(facts({ steering, ...rest })).readOnly.filter((place) => steering.includes(place));
    expect(held()).toEqual(steering);
    expect(held({ writes: ["/p/AGENTS.md"] })).toEqual(["/p/ai-skills"]);
    expect(held({ writes: ["/p/ai-skills/a/SKILL.md", "/p/ai-skills-too", "/p"] })).toEqual(["/p/AGENTS.md"]);
    const { settings } = sandboxSettings([{ layer: "user", value: { steering: "open" } }]);
    expect(held({ settings })).toEqual([]);
    expect(held({ write: false })).toEqual([]);
    const { ignored } = sandboxSettings([{ layer: "project", value: { steering: "open" } }]);
    expect(ignored).toEqual(["sandbox.steering"]);
  });

  it("has an environment that is built from known names, not taken over", () => {
    const { environment } = isolationPolicy(facts());
    expect(Object.keys(environment).sort()).toEqual(
      ["ASHLAR_TOOL_WORKER", "HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "XDG_CACHE_HOME"].sort(),
    );
  });

  it("has the names that the user chose", () => {
    expect(builtEnvironment({ JAVA_HOME: "/j" }, true)).toMatchObject({ JAVA_HOME: "/j", TMPDIR: "/tmp" });
    expect(builtEnvironment({ JAVA_HOME: "/j" }, false)).not.toHaveProperty("JAVA_HOME");
  });
});

describe("the setting sandbox", () => {
  it("takes the strongest layer, key by key, and of a project only that there is no network", () => {
    const { settings, ignored } = sandboxSettings([
      { layer: "user", value: { network: "full", memoryBytes: 5, fileBytes: 1000 } },
      { layer: "project", value: { network: "full", processes: 100_000 } },
      { layer: "constructor", value: { fileBytes: 2000 } },
    ]);
    expect(settings).toMatchObject({ network: "full", memoryBytes: 5, fileBytes: 2000, processes: 1024 });
    expect(ignored).toEqual(["sandbox.network", "sandbox.processes"]);
    const restricted = sandboxSettings([
      { layer: "user", value: { network: "full" } },
      { layer: "project", value: { network: "none" } },
    ]);
    expect(restricted).toMatchObject({ settings: { network: "none" }, ignored: [] });
  });

  it("keeps its defaults for what makes no sense", () => {
    const { settings } = sandboxSettings([
      { layer: "user", value: { network: "some", fileBytes: -1, odd: 1 } },
    ]);
    expect(settings).toMatchObject({ network: "none", fileBytes: 1024 ** 3 });
  });
});

it("shows of a module the folder in which Node finds what it imports, and never a folder of everybody", async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), "ashlar-modules-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  for (const folder of ["a/pack/tools", "b/node_modules/pack/tools", "c"])
    await mkdir(join(base, folder), { recursive: true });
  await writeFile(join(base, "a/pack/package.json"), "{}");
  for (const file of ["a/pack/tools/x.js", "b/node_modules/pack/tools/x.js", "c/x.js"])
    await writeFile(join(base, file), "");
  expect(moduleFolder(join(base, "a/pack/tools/x.js"))).toBe(join(base, "a/pack"));
  expect(moduleFolder(join(base, "b/node_modules/pack/tools/x.js"))).toBe(join(base, "b"));
  expect(moduleFolder(join(base, "c/x.js"))).toBe(join(base, "c"));
});

it("knows when something that is pinned or hidden was replaced, and takes a held place as missing", async () => {
  const base = await realpath(await mkdtemp(join(tmpdir(), "ashlar-stamps-")));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const paths = [join(base, "file"), join(base, "held")];
  await writeFile(join(base, "file"), "x");
  const before = placeStamps(paths);
  await mkdir(join(base, "held/.ashlar-1-2-3-4"), { recursive: true });
  expect(placeStamps(paths)).toBe(before);
  await writeFile(join(base, "new"), "x");
  await rename(join(base, "new"), join(base, "file"));
  expect(placeStamps(paths)).not.toBe(before);
});
