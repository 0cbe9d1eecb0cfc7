import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { probe } from "@ashlar/sandbox";
import { type FakeScript, type RunningLLM, startFakeLLM } from "@ashlar/testing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ashlar, createProject, finish, linesOf, type Project, start } from "../command.js";

const { confines, reason } = await probe();
const works = confines.files && confines.network && confines.processes;
if (!works) console.log(`not run: a killed agent of the command line, because ${reason}`);

const CALLS = [
  { name: "read", arguments: { path: "README.md" } },
  { name: "bash", arguments: { command: "echo x >> started; sleep 600" } },
  { name: "write", arguments: { path: "never.md", content: "x" } },
];

/** Three calls for the first prompt, one word for everything else. */
const script: FakeScript = ({ results }) =>
  results.length === 0 ? { parts: CALLS.map((call) => ({ call })) } : { parts: [{ text: "fine" }] };

let server: RunningLLM;
let project: Project;
beforeEach(async () => {
  project = await createProject();
  server = await startFakeLLM({ script });
});
afterEach(() => Promise.all([project.remove(), server.close()]));

const environment = (): Record<string, string> => ({ OLLAMA_HOST: server.url });
const run = (args: readonly string[]) => ashlar(args, { project, environment: environment() });

async function untilThere(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 20));
}

describe.runIf(works)("ashlar agent that is killed in the middle of a call", () => {
  it("goes on with --resume latest: each call has one result, what had begun did not run again", async () => {
    const started = join(project.folder, "started");
    const child = start(["agent", "--model", "ollama/ok", "work"], { project, environment: environment() });
    const finished = finish(child);
    await untilThere(started);
    child.kill("SIGKILL");
    await finished;

    const { code, stdout, stderr } = await run(["agent", "--resume", "latest"]);
    expect(code, stderr).toBe(0);
    expect(linesOf(stdout).at(-1)).toMatchObject({ type: "result", status: "completed" });
    expect(server.asked().map(({ status }) => status)).toEqual([200, 200]);
    expect(await readFile(started, "utf8")).toBe("x\n");
    expect(existsSync(join(project.folder, "never.md"))).toBe(false);

    const shown = (await run(["sessions", "show", "latest", "--json"])).stdout;
    const results = linesOf(shown).flatMap(({ item }) => (Object(item).type === 4 ? [Object(item)] : []));
    expect(results.map(({ name }) => name)).toEqual(["read", "bash", "write"]);
    expect(JSON.stringify(results[0])).toContain("Stone bridge");
    for (const result of results.slice(1)) expect(JSON.stringify(result)).toContain("Interrupted");
  });
});
