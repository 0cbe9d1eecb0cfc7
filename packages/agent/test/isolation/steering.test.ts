import { existsSync, lstatSync, readFileSync } from "node:fs";
import { mkdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Agent } from "@ashlar/agent";
import { describe, expect, it } from "vitest";
import { steeringPlaces } from "../../src/isolation/steering-places.js";
import { temporaryFolder } from "../support/open-agent.js";
import {
  noSandboxHere,
  openSandboxed,
  put,
  resultText,
  type SandboxedOptions,
} from "../support/sandboxed-agent.js";

const missing = await noSandboxHere();
const tools = join(
  dirname(createRequire(import.meta.url).resolve("@ashlar/tools-std/package.json")),
  "dist/tools",
);
const files = {
  "AGENTS.md": "Mind the tests.\n",
  "ai-skills/a/SKILL.md": "a",
  "ai-prompts/b.md": "b",
  ".agents/skills/c/SKILL.md": "c",
  "src/a.ts": "1",
};
const open = (options: SandboxedOptions = {}) => openSandboxed({ roots: [tools], files, ...options });
const allowing: NonNullable<SandboxedOptions["question"]> = {
  ask: async (questions) => questions.map(() => ({ labels: ["Allow"] })),
};

describe.skipIf(missing !== undefined)("what steers later agents", () => {
  it.each(["AGENTS.md", "ai-skills/a/SKILL.md", "ai-prompts/b.md", ".agents/skills/c/SKILL.md"])(
    "is changed by no command: %s",
    async (path) => {
      const { call, folder } = await open();
      const script = `echo evil >> ${path}; rm -rf ${path.split("/")[0]}; mv ${path.split("/")[0]} away; echo 2 > src/a.ts`;
      const said = resultText(await call("bash", { command: script }));
      expect(said).toMatch(/Read-only file system|Device or resource busy/);
      expect(readFileSync(join(folder, path), "utf8")).toBe(files[path as keyof typeof files]);
      expect(readFileSync(join(folder, "src/a.ts"), "utf8")).toBe("2\n");
    },
  );

  it("is changed by write and edit when a person allows it, and by nobody who was not asked", async () => {
    const { call, folder, agent } = await open({ question: allowing });
    const refused = await call("write", { path: "AGENTS.md", content: "new" });
    expect(resultText(refused)).toContain("Or set ask: true");
    await call("write", { path: "AGENTS.md", content: "new\n", ask: true });
    const edits = [{ oldText: "a", newText: "z" }];
    await call("edit", { path: "ai-skills/a/SKILL.md", edits, ask: true });
    expect(readFileSync(join(folder, "AGENTS.md"), "utf8")).toBe("new\n");
    expect(readFileSync(join(folder, "ai-skills/a/SKILL.md"), "utf8")).toBe("z");
    expect(resultText(await call("bash", { command: "echo x >> AGENTS.md" }))).toContain("Read-only");
    await agent.undo();
    expect(readFileSync(join(folder, "ai-skills/a/SKILL.md"), "utf8")).toBe("a");
  });

  it("is open to commands where the user says so", async () => {
    const { call, folder } = await open({ settings: { sandbox: { steering: "open" } } });
    await call("bash", { command: "echo more >> AGENTS.md" });
    expect(readFileSync(join(folder, "AGENTS.md"), "utf8")).toContain("more");
  });

  it("is said when a command makes it, and nothing stands in its place meanwhile", async () => {
    const { agent, call, folder } = await open({ files: { "src/a.ts": "1" } });
    const said: string[] = [];
    agent.onEvent(Agent.EVENT.LOG, (message) => said.push(message));
    expect(resultText(await call("bash", { command: "ls" }))).not.toContain("ai-skills");
    await call("bash", { command: "mkdir -p ai-skills/x && echo x > ai-skills/x/SKILL.md" });
    expect(said).toEqual([`bash made ${join(folder, "ai-skills")}, which steers later agents. Look at it.`]);
    expect(existsSync(join(folder, "AGENTS.md"))).toBe(false);
  });

  it("behind a link is held where it lies, and the call runs", async () => {
    const { call, folder } = await open({ files: { "docs/GUIDE.md": "guide" } });
    await symlink("docs/GUIDE.md", join(folder, "AGENTS.md"));
    expect(resultText(await call("bash", { command: "echo evil >> AGENTS.md; echo ok" }))).toContain("ok");
    expect(readFileSync(join(folder, "docs/GUIDE.md"), "utf8")).toBe("guide");
    expect(lstatSync(join(folder, "AGENTS.md")).isSymbolicLink()).toBe(true);
  });
});

describe("the places that steer", () => {
  it("are those that exist in the folder, links resolved, and none outside", async () => {
    const [folder, outside] = [await temporaryFolder(), await temporaryFolder()];
    expect(await steeringPlaces(folder)).toEqual([]);
    await put(folder, { "AGENTS.md": "x", "shared/s/SKILL.md": "y" });
    await mkdir(join(folder, ".agents"));
    await symlink("../shared", join(folder, ".agents/skills"));
    await symlink(outside, join(folder, "ai-skills"));
    await symlink("nowhere", join(folder, "ai-prompts"));
    expect(await steeringPlaces(folder)).toEqual([join(folder, "AGENTS.md"), join(folder, "shared")]);
  });
});
