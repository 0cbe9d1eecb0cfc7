import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { type RunningLLM, startFakeLLM } from "@ashlar/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ashlar, createProject, type Finished, type Project } from "./command.js";

let server: RunningLLM;
let project: Project;
beforeAll(async () => {
  server = await startFakeLLM({ apiKey: "sk-right" });
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await createProject();
});
afterEach(() => project.remove());

const run = (
  args: readonly string[],
  environment: Record<string, string> = {},
  input = "",
): Promise<Finished> => ashlar(args, { project, input, environment });

describe("ashlar", () => {
  it("prints only its version", async () => {
    expect(await run(["--version"])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
      stderr: "",
    });
  });

  it("prints its help, exit codes included, on stdout", async () => {
    const { code, stdout } = await run(["--help"]);
    expect(code).toBe(0);
    expect(stdout).toContain("130 cancelled");
  });

  it.each([
    { why: "an unknown command", args: ["agnet"], says: /Did you mean agent\?/ },
    { why: "an unknown option", args: ["agent", "--modle", "x"], says: /Did you mean --model\?/ },
    { why: "no command", args: [], says: /Usage: ashlar/ },
    { why: "a setting that is no assignment", args: ["io", "--set", "think", "hi"], says: /key=value/ },
    { why: "a url without its endpoint", args: ["io", "--url", "http://127.0.0.1:1", "hi"], says: /--model/ },
  ])("answers $why on stderr with exit 1", async ({ args, says }) => {
    const { code, stdout, stderr } = await run(args);
    expect(code).toBe(1);
    expect(stdout).toBe("");
    expect(stderr).toMatch(says);
  });
});

describe("ashlar tool", () => {
  it("lists the tools", async () => {
    const { stdout } = await run(["tool"]);
    expect(stdout).toMatch(/^read {2}\(without the sandbox\)/m);
    expect(stdout).toMatch(/^write {2}\(in the sandbox\)/m);
  });

  it.each([
    { why: "key:value words", args: ["path:README.md"] },
    { why: "a JSON object", args: ['{"path":"README.md"}'] },
  ])("calls one with $why", async ({ args }) => {
    const { code, stdout } = await run(["tool", "read", ...args]);
    expect(code).toBe(0);
    expect(stdout).toContain("Stone bridge");
  });

  it("shows a tool's schema", async () => {
    const { stdout } = await run(["tool", "read", "--help"]);
    expect(stdout).toContain('"path"');
  });

  it.each([
    { why: "an unknown tool", args: ["raed"], says: /no tool "raed"; there are: .*read/ },
    { why: "a missing argument", args: ["read"], says: /path/ },
    { why: "words that are neither", args: ["read", "README.md"], says: /key:value/ },
    { why: "broken JSON", args: ["read", '{"path"'], says: /not valid JSON/ },
  ])("says what is wrong with $why", async ({ args, says }) => {
    const { code, stdout, stderr } = await run(["tool", ...args]);
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(says);
  });

  it("fails with the tool's reason when the file is not there", async () => {
    const { code, stdout } = await run(["tool", "read", "path:nope.txt"]);
    expect(code).toBe(1);
    expect(stdout).toContain("nope.txt");
  });
});

describe("ashlar models and doctor", () => {
  it("list what a running server has", async () => {
    const open = await startFakeLLM();
    const { code, stdout } = await run(["models"], { OLLAMA_HOST: open.url });
    await open.close();
    expect(code).toBe(0);
    expect(stdout).toContain("ollama/ok");
  });

  it("say when a server wants credentials", async () => {
    const { stderr } = await run(["models"], { OLLAMA_HOST: server.url });
    expect(stderr).toContain("ollama wants credentials: ashlar login ollama");
  });

  it("say what to do when there is nothing", async () => {
    const { stderr } = await run(["models"], { OLLAMA_HOST: "127.0.0.1:9" });
    expect(stderr).toMatch(/Start Ollama|ashlar login/);
    const doctor = await run(["doctor"], { OLLAMA_HOST: "127.0.0.1:9" });
    expect(doctor.code).toBe(1);
    expect(doctor.stdout).toMatch(/sandbox/);
  });
});

describe("ashlar login and logout", () => {
  const login = (...more: string[]): readonly string[] => [
    "login",
    "mine",
    "--url",
    server.openAIUrl,
    "--provider",
    "openai-chat",
    ...more,
  ];
  const stored = (): string => join(project.home, "config", "auth-mine.json");

  it("store a credential that works for its owner only, use it, and forget it", async () => {
    expect((await run(login("--token", "sk-right"))).code).toBe(0);
    expect((await stat(stored())).mode & 0o777).toBe(0o600);
    expect((await run(["io", "--model", "mine/ok", "hi"])).code).toBe(0);
    expect((await run(["logout", "mine"])).code).toBe(0);
    await expect(stat(stored())).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("store nothing when the test fails, and never show the credential", async () => {
    const { code, stdout, stderr } = await run(login("--token", "sk-wrong"));
    expect(code).toBe(2);
    expect(stdout + stderr).not.toContain("sk-wrong");
    await expect(stat(stored())).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("take the credential from stdin", async () => {
    expect((await run(login(), {}, "sk-right\n")).code).toBe(0);
  });
});

describe("ashlar init", () => {
  it("writes a settings file of comments that changes nothing, and overwrites only when forced", async () => {
    expect((await run(["init"])).code).toBe(0);
    const text = await readFile(join(project.folder, "ai-settings.json"), "utf8");
    expect(text).toContain("//");
    expect((await run(["init"])).code).toBe(1);
    expect((await run(["init", "--force"])).code).toBe(0);
    expect((await run(["tool"])).stderr).toBe("");
  });
});
