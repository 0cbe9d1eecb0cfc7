import { streamEventSchema } from "@ashlar/agent";
import { type RunningLLM, startFakeLLM } from "@ashlar/testing";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ashlar, createProject, finish, linesOf, type Project, start } from "./command.js";

let server: RunningLLM;
let project: Project;
beforeAll(async () => {
  server = await startFakeLLM();
});
afterAll(() => server.close());
beforeEach(async () => {
  project = await createProject();
});
afterEach(() => project.remove());

const environment = (): Record<string, string> => ({ OLLAMA_HOST: server.url });
const run = (model: string, input: string, args: readonly string[] = []) =>
  ashlar(["agent", "--model", model, ...args], { project, input, environment: environment() });

const validLine = new Ajv2020({ strict: false }).compile(streamEventSchema);

describe("ashlar agent", () => {
  it("writes only event lines that fit the published schema, the last done with the whole message", async () => {
    const { code, stdout } = await run("ollama/read", "What is this project called? Use the read tool.");
    const lines = linesOf(stdout);
    for (const line of lines)
      expect(validLine(line), `${JSON.stringify(line)}: ${JSON.stringify(validLine.errors)}`).toBe(true);
    const done = lines.filter(({ type }) => type === "done").at(-1);
    expect(JSON.stringify(done?.message)).toContain("Stone bridge");
    expect(lines.at(-1)).toMatchObject({ type: "result", status: "completed", exitCode: 0 });
    expect(code).toBe(0);
  });

  it("answers otherwise when the file is another", async () => {
    await project.write("README.md", "# Wooden ferry\n");
    const { stdout } = await run("test/read", "What does README.md say?");
    expect(JSON.stringify(linesOf(stdout).at(-1))).toContain("Wooden ferry");
  });

  it.each([
    { why: "credentials are refused", model: "ollama/401", code: 2 },
    { why: "the request is refused", model: "ollama/400", code: 4 },
    { why: "the model calls the same tool for ever", model: "ollama/loop", code: 6 },
  ])("exits $code when $why", async ({ model, code }) => {
    const finished = await run(model, "hi");
    expect(finished.code).toBe(code);
    expect(linesOf(finished.stdout).at(-1)).toMatchObject({ type: "result", exitCode: code });
    expect(finished.stderr).toContain("ashlar: ");
  });

  it("takes durations as people write them, from a flag and from settings", async () => {
    await project.write("ai-settings.json", '{ "stuckTimeout": "45s" }');
    expect((await run("ollama/ok", "hi", ["--timeout", "90s"])).code).toBe(0);
    const finished = await run("ollama/ok", "hi", ["--timeout", "soon"]);
    expect(finished.code).toBe(1);
    expect(finished.stderr).toMatch(/timeout/);
  });

  it("sends exactly one request when the server answers 400", async () => {
    const before = server.asked().length;
    await run("ollama/400", "hi");
    expect(server.asked().length - before).toBe(1);
  });

  it("exits 3 when no server is there", async () => {
    const finished = await ashlar(["agent", "--model", "ollama/ok", "--set", "retry.attempts=1", "hi"], {
      project,
      environment: { OLLAMA_HOST: "127.0.0.1:9" },
    });
    expect(finished.code).toBe(3);
    expect(finished.stderr).toContain("127.0.0.1:9");
  });

  it.each([
    { why: "an array with an invalid member", input: '[{"type":9}]', place: "context[0].type" },
    { why: "a line that claims to be a message", input: 'hello\n{"type":2}\n', place: "line 2" },
  ])("exits 5 and names the place for $why", async ({ input, place }) => {
    const finished = await run("ollama/ok", input);
    expect(finished.code).toBe(5);
    expect(finished.stderr).toContain(place);
    expect(finished.stdout).toBe("");
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "ends a stalled request on %s: exit 130, socket closed",
    async (signal) => {
      const before = server.asked().length;
      const child = start(["agent", "--model", "ollama/stall", "hi"], {
        project,
        environment: environment(),
      });
      const finished = finish(child);
      while (server.asked().length === before) await new Promise((resolve) => setTimeout(resolve, 20));
      child.kill(signal);
      const { code, stdout } = await finished;
      expect(code).toBe(130);
      expect(linesOf(stdout).at(-1)).toMatchObject({ type: "result", status: "cancelled", exitCode: 130 });
      const request = server.asked().at(-1);
      await request?.closed;
      expect(request?.closedEarly).toBe(true);
    },
  );

  it("says what is missing when no model was ever named", async () => {
    const finished = await ashlar(["agent", "hi"], { project, environment: { OLLAMA_HOST: "127.0.0.1:9" } });
    expect(finished.code).toBe(1);
    expect(finished.stderr).toMatch(/no model was named/);
    expect(finished.stderr).toMatch(/ashlar login|providers/);
  });

  it("uses a url and a key of the command line for this run only", async () => {
    const flags = ["agent", "--model", "mine/ok", "--url", server.openAIUrl, "--token", "sk-secret-1", "hi"];
    const first = await ashlar(flags, { project });
    expect(first.code).toBe(0);
    expect(server.asked().at(-1)?.headers.authorization).toBe("Bearer sk-secret-1");
    expect(first.stdout + first.stderr).not.toContain("sk-secret-1");
    const second = await ashlar(["agent", "--model", "mine/ok", "hi"], { project });
    expect(second.code).toBe(1);
  });
});
