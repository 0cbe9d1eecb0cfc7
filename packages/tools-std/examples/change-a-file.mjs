import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { toolsRoot } from "@ashlar/tools-std";

const { edit } = await import(pathToFileURL(join(toolsRoot, "edit.js")).href);
const cwd = await mkdtemp(join(tmpdir(), "example-"));
await writeFile(join(cwd, "a.ts"), "const retries = 1;\r\n");
const { result, display } = await edit(
  { path: "a.ts", edits: [{ oldText: "retries = 1", newText: "retries = 3" }] },
  {
    env: { cwd, settings: {} },
    signal: AbortSignal.timeout(10_000),
    deadline: Date.now() + 10_000,
    call: { callId: "call-1", name: "edit" },
    agent: { folder: cwd },
    safe: false,
    question: null,
    onData: () => {},
  },
);
console.log(`${result}\n${display}`); // Edited a.ts in line 1. Edit id: call-1.
if ((await readFile(join(cwd, "a.ts"), "utf8")) !== "const retries = 3;\r\n") process.exitCode = 1;
await rm(cwd, { recursive: true });
