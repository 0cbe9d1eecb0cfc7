import { type RunningLLM, startFakeLLM } from "@ashlar/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readInput } from "../src/read-input.js";
import type { Terminal } from "../src/terminal.js";
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

interface SentMessage {
  readonly role: string;
  readonly content: string;
}

/** What the model was told by the user, joined as the wire has it. */
function userTexts(): readonly string[] {
  const body = server.asked().at(-1)?.body;
  const messages: readonly SentMessage[] =
    typeof body === "object" && body !== null && "messages" in body && Array.isArray(body.messages)
      ? body.messages
      : [];
  return messages.filter(({ role }) => role === "user").map(({ content }) => content);
}

describe("standard input", () => {
  it.each([
    { why: "a line separator", text: "one\u2028still one" },
    { why: "a paragraph separator", text: "one\u2029still one" },
    { why: "a next-line character", text: "one\u0085still one" },
    { why: "two mebibytes", text: "x".repeat(2 * 1024 * 1024) },
  ])("takes a record with $why once and unchanged", async ({ text }) => {
    const { code } = await ashlar(
      ["agent", "--model", "ollama/ok", "--set", "providers.ollama.contextWindow=4000000"],
      {
        project,
        input: text,
        environment: { OLLAMA_HOST: server.url },
      },
    );
    expect(code).toBe(0);
    expect(userTexts()).toEqual([text]);
  });

  it("takes a record ended by CRLF, passes over an empty line, and counts a last line without an end", async () => {
    await ashlar(["agent", "--model", "ollama/ok"], {
      project,
      input: "first\r\n\nlast",
      environment: { OLLAMA_HOST: server.url },
    });
    expect(userTexts().join("\n")).not.toContain("\r");
    expect(userTexts().join("\n")).toMatch(/first[\s\S]*last/);
  });

  it("reads bytes that come one at a time, a character cut between two", async () => {
    const child = start(["io", "--model", "ollama/echo"], {
      project,
      environment: { OLLAMA_HOST: server.url },
    });
    const finished = finish(child);
    for (const byte of Buffer.from("é🙂日")) child.stdin?.write(Buffer.of(byte));
    child.stdin?.end();
    const { code, stdout } = await finished;
    expect(code).toBe(0);
    expect(JSON.stringify(linesOf(stdout).at(-1))).toContain("é🙂日");
  });

  it("is left alone when the prompt is an argument, so an open pipe never hangs a run", async () => {
    const child = start(["agent", "--model", "test/echo", "hello there"], { project });
    const { code, stdout } = await finish(child);
    expect(code).toBe(0);
    expect(JSON.stringify(linesOf(stdout).at(-1))).toContain("hello there");
  });

  it("that is empty is an error, not an empty request", async () => {
    const { code, stderr } = await ashlar(["agent", "--model", "test/echo"], { project, input: "\n  \n" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/stdin was empty/);
  });
});

function silentTerminal(notices: string[], cancelled = new AbortController().signal): Terminal {
  const sink = { write: (text: string) => void notices.push(text), flush: async () => undefined };
  const input = (async function* silence(): AsyncGenerator<Uint8Array> {
    await new Promise(() => undefined);
  })();
  return { cwd: "/", environment: {}, input, out: sink, err: sink, cancelled, colour: false };
}

describe("a pipe on which nothing comes", () => {
  it("is said to be waited for, and given up with an error of kind usage", async () => {
    const notices: string[] = [];
    const reading = readInput(silentTerminal(notices), { noticeAfterMs: 10, firstByteWithinMs: 60 });
    await expect(reading).rejects.toMatchObject({ kind: "usage" });
    expect(notices.join("")).toMatch(/waiting for input on stdin/);
  });

  it("is given up at once when a signal comes", async () => {
    const cancel = new AbortController();
    const reading = readInput(silentTerminal([], cancel.signal));
    cancel.abort();
    await expect(reading).rejects.toMatchObject({ kind: "cancelled" });
  });

  it("is not waited for on a terminal", async () => {
    const { input: _input, ...terminal } = silentTerminal([]);
    await expect(readInput({ ...terminal, input: undefined })).rejects.toMatchObject({ kind: "usage" });
  });
});
