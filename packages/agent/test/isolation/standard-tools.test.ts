import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  noSandboxHere,
  openSandboxed,
  resultText,
  type SandboxedOptions,
} from "../support/sandboxed-agent.js";

const missing = await noSandboxHere();
const tools = join(
  dirname(createRequire(import.meta.url).resolve("@ashlar/tools-std/package.json")),
  "dist/tools",
);
const open = (options: SandboxedOptions = {}) =>
  openSandboxed({ roots: [tools], files: { "a.txt": "one\n" }, ...options });

describe.skipIf(missing !== undefined)("the standard tools", () => {
  it("edit, run and are undone, in the project only", async () => {
    const { agent, call, folder } = await open();
    const edited = await call("edit", { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] });
    expect(edited.changes).toHaveLength(1);
    const shown = await call("bash", { command: "cat a.txt; touch /etc/x; echo > .git/config; ls ai-jobs" });
    expect(resultText(shown)).toMatch(/^two\n/);
    expect(shown.changes).toBeUndefined();
    expect(resultText(shown)).toMatch(/\/etc\/x.*Read-only file system/);
    expect(await agent.undo()).toMatchObject({ tool: "edit", restored: [join(folder, "a.txt")] });
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one\n");
  });

  it("take an edit back by the id that its result named", async () => {
    const { call, folder } = await open();
    const edited = await call("edit", { path: "a.txt", edits: [{ oldText: "one", newText: "two" }] });
    const taken = await call("edit", { path: "a.txt", rollback: edited.callId });
    expect(resultText(taken)).not.toContain("error");
    expect(readFileSync(join(folder, "a.txt"), "utf8")).toBe("one\n");
  });

  it("keep a command going, each in a sandbox of its own, until it is stopped or the agent ends", async () => {
    const { agent, call } = await open();
    const started = await call("bash", {
      command: "echo up; touch made-later; for i in $(seq 600); do sleep 0.1; done",
      background: true,
    });
    expect(resultText(started)).toContain("up");
    expect(resultText(started)).toContain("bg-1");
    expect(resultText(await call("process", { action: "list" }))).toContain("bg-1 running");
    expect(resultText(await call("process", { action: "output", id: "bg-1" }))).toContain("up");
    // It sees its own processes only: not those of the command.
    expect(resultText(await call("bash", { command: "pgrep -f made-later | wc -l; ls" }))).toContain(
      "made-later",
    );
    await call("process", { action: "stop", id: "bg-1" });
    expect(resultText(await call("process", { action: "list" }))).not.toContain("bg-1 running");
    await call("bash", { command: "sleep 300", background: true });
    await agent.close();
  });
});
