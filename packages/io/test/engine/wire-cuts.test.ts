import { connect, IO, OpenAIChat } from "@ashlar/io";
import { afterEach, describe, expect, it } from "vitest";
import { ask } from "../examples/ask.js";
import { line } from "./line-provider.js";
import { hello, lineIO, messageText, run } from "./run-request.js";
import { type Answer, type ScriptedServer, startServer } from "./scripted-server.js";

let server: ScriptedServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function serving(script: (answer: Answer) => unknown): Promise<ScriptedServer> {
  server = await startServer(script);
  return server;
}

const first = line({ text: "é🙂日" });
const second = line({ text: " ok" });
const last = line({ done: "stop", usage: { inputTokens: 7, outputTokens: 3 } });
const LONG = 3_145_728;

describe("lines that are cut anywhere on the wire", () => {
  it.each([
    {
      why: "one byte a write",
      text: "é🙂日 ok",
      script: async ({ write, end }: Answer) => {
        for (const byte of new TextEncoder().encode(first + second + last)) await write(Uint8Array.of(byte));
        end();
      },
    },
    {
      why: "two lines in one write and the last without its newline",
      text: "é🙂日 ok",
      script: async ({ write, pause, end }: Answer) => {
        await write(first + second);
        await pause();
        end(last.trimEnd());
      },
    },
    {
      why: "CRLF in two writes",
      text: "é🙂日 ok",
      script: async ({ write, pause, end }: Answer) => {
        for (const each of [first, second, last]) {
          await write(each.replace("\n", "\r"));
          await pause();
          await write("\n");
        }
        end();
      },
    },
    {
      why: "an empty line and one of two spaces between",
      text: "é🙂日 ok",
      script: ({ end }: Answer) => end(`${first}\n  \n${second}${last}`),
    },
    {
      why: "a line of 3 MiB in writes of 64 KiB",
      text: `é🙂日${"a".repeat(LONG)}`,
      script: async ({ write, end }: Answer) => {
        const bytes = new TextEncoder().encode(first + line({ text: "a".repeat(LONG) }) + last);
        for (let at = 0; at < bytes.length; at += 65_536) await write(bytes.subarray(at, at + 65_536));
        end();
      },
    },
    {
      why: "bytes of no line after the last one",
      text: "é🙂日 ok",
      script: ({ end }: Answer) => end(`${first}${second}${last}{"oops`),
    },
  ])("give the whole text, with $why", async ({ text, script }) => {
    const { url } = await serving(script);
    const { terminal, text: joined } = await run(lineIO(url));
    expect(terminal).toMatchObject({ type: "done", usage: { inputTokens: 7, outputTokens: 3 } });
    expect(joined === text).toBe(true);
    expect(messageText(terminal) === joined).toBe(true);
    expect(joined).not.toContain("\uFFFD");
  });
});

const NOISY = [
  ": waiting in queue",
  ":",
  "data:",
  "event: ping\ndata: ",
  "data: : keepalive",
  'data:{"choices":[{"index":0,"delta":{"content":"hi"}}]}',
  ': cost=0.01\ndata: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}',
  "data: [DONE]",
].map((frame) => `${frame}\n\n`);

const chat = (url: string) => new IO(connect(OpenAIChat, { url: `${url}/v1`, model: "m" }));

async function sse(answer: Answer, frames: readonly string[]): Promise<void> {
  answer.head(200, { "content-type": "text/event-stream" });
  for (const frame of frames) await answer.write(frame);
  answer.end();
}

describe("keep-alives of every shape", () => {
  it("are noise: the answer is whole and nobody is warned", async () => {
    const { url } = await serving((answer) => sse(answer, NOISY));
    const { terminal } = await run(chat(url));
    expect(terminal.type).toBe("done");
    expect(messageText(terminal)).toBe("hi");
    expect(terminal).not.toHaveProperty("warnings");
  });

  it("are not cut JSON in a complete frame, which is an error", async () => {
    const { url } = await serving((answer) => sse(answer, ['data: {"choices":[{"ind\n\n', ...NOISY]));
    expect((await run(chat(url))).terminal).toMatchObject({
      type: "error",
      kind: "malformed",
      error: expect.stringContaining("choices"),
    });
  });

  it("do not hold up a model that says nothing more", async () => {
    const { url } = await serving(async (answer) => {
      answer.head(200, { "content-type": "text/event-stream" });
      await answer.write(NOISY[5] ?? "");
      for (let beat = 0; beat < 100; beat++) {
        await answer.write(": ka\n\n");
        await answer.pause(20);
      }
    });
    const { terminal } = await run(chat(url), { timeouts: { idleMs: 200 } });
    expect(terminal).toMatchObject({ kind: "network", error: expect.stringContaining("stuckTimeout") });
    expect(messageText(terminal)).toBe("hi");
  });
});

describe("the example of the README", () => {
  it("answers from an OpenAI-compatible server", async () => {
    const { url, requests } = await serving((answer) => sse(answer, NOISY));
    expect(await ask(`${url}/v1`, "Hello?")).toBe("hi");
    expect(requests.map(({ path }) => path)).toEqual(["/v1/chat/completions"]);
  });

  it("fails with the kind of the error", async () => {
    const { url } = await serving((answer) => {
      answer.head(401, {});
      answer.end();
    });
    await expect(ask(`${url}/v1`, "Hello?")).rejects.toThrow(/^auth: /);
  });

  it("is one request a call", async () => {
    const { url } = await serving((answer) => sse(answer, NOISY));
    const io = chat(url);
    const both = [await io.write(hello, () => undefined), await io.write(hello, () => undefined)];
    expect(both.map(({ type }) => type)).toEqual(["done", "done"]);
  });
});
