import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type RunningLLM, startFakeLLM } from "@ashlar/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ashlar, createProject, finish, linesOf, type Project, start } from "./command.js";

const ANSWER_CHARACTERS = 300_000;
const DELTAS = 5_000;

let server: RunningLLM;
let project: Project;
beforeAll(async () => {
  server = await startFakeLLM({
    script: ({ model }) => {
      if (model === "long") return { parts: [{ text: "x".repeat(ANSWER_CHARACTERS) }] };
      return { parts: Array.from({ length: DELTAS }, () => ({ text: "word " })), delivery: { waitMs: 1 } };
    },
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await createProject();
});
afterEach(() => project.remove());

const binary = fileURLToPath(new URL("../bin/ashlar.js", import.meta.url));

describe("standard output", () => {
  it("that nobody reads any more ends the run without a stack trace", async () => {
    const script = `"${process.execPath}" "${binary}" agent --model ollama/deltas hi | head -n 1`;
    const child = spawn("bash", ["-o", "pipefail", "-c", script], {
      cwd: project.folder,
      env: { PATH: process.env.PATH, ASHLAR_HOME: project.home, OLLAMA_HOST: server.url },
    });
    const { code, stdout, stderr } = await finish(child);
    expect(linesOf(stdout)).toHaveLength(1);
    expect(stderr).not.toMatch(/ at .*\.js:\d+/);
    expect(code).toBe(130);
    await server.asked().at(-1)?.closed;
    expect(server.asked().at(-1)?.closedEarly).toBe(true);
  });

  it("that a full disk does not take is a failure that is said", async () => {
    const script = `"${process.execPath}" "${binary}" agent --model test/echo hi > /dev/full`;
    const child = spawn("bash", ["-c", script], {
      cwd: project.folder,
      env: { PATH: process.env.PATH, ASHLAR_HOME: project.home },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const { code, stderr } = await finish(child);
    expect(stderr).toMatch(/standard output could not be written: .*ENOSPC/);
    expect(stderr).not.toMatch(/ at .*\.js:\d+/);
    expect(code).toBe(1);
  });

  it("is complete when a slow reader starts late", async () => {
    const child = start(["agent", "--model", "ollama/long", "hi"], {
      project,
      environment: { OLLAMA_HOST: server.url },
    });
    child.stdin?.end();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    const { code, stdout } = await finish(child);
    expect(code).toBe(0);
    expect(JSON.stringify(linesOf(stdout).at(-1)).length).toBeGreaterThan(ANSWER_CHARACTERS);
  });

  it("holds nothing but JSON when settings are odd and Node warns", async () => {
    await project.write("ai-settings.json", '{ "modle": "x" }');
    const { code, stdout, stderr } = await ashlar(["agent", "--model", "ollama/long", "hi"], {
      project,
      environment: {
        OLLAMA_HOST: server.url,
        NODE_OPTIONS: "--trace-warnings --experimental-vm-modules --no-deprecation",
      },
    });
    expect(code).toBe(0);
    expect(linesOf(stdout).at(-1)?.type).toBe("result");
    expect(stderr).toContain("modle");
  });

  it("and standard error hold no escape sequence", async () => {
    const { stdout, stderr } = await ashlar(["agent", "--model", "ollama/long", "hi"], {
      project,
      environment: { OLLAMA_HOST: server.url, NO_COLOR: "1" },
    });
    expect(stdout + stderr).not.toContain("\u001b");
  });
});
