import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { isObject, type Message, MessageType } from "@ashlar/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect, IO, OpenAIChat } from "../../../src/index.js";

const REFUSAL = "Conversation roles must alternate user/assistant/user/assistant/...";
const ANSWER = [
  { choices: [{ index: 0, delta: { content: "the arch" } }] },
  { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] },
];

/** As a compaction leaves it: the summary, then a question that was kept. */
const COMPACTED: readonly Message[] = [
  message(MessageType.system, "Be brief."),
  message(MessageType.user, "Summary of what was said: a bridge is being built."),
  message(MessageType.user, "What is missing?"),
];

let server: Server;
let url = "";

beforeAll(async () => {
  server = createServer((request, response) => {
    text(request).then((body) => {
      if (isAlternating(JSON.parse(body))) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const frame of ANSWER) response.write(`data: ${JSON.stringify(frame)}\n\n`);
        response.end("data: [DONE]\n\n");
        return;
      }
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: REFUSAL } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // Listening on a host and a port, its address is an object.
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
});

afterAll(() => new Promise((resolve) => server.close(resolve)));

describe("a server whose template wants roles to alternate", () => {
  it("refuses a compacted conversation as it is", async () => {
    expect(await ask(COMPACTED, {})).toMatchObject({
      type: "error",
      kind: "provider",
      status: 400,
      retryable: false,
      error: expect.stringContaining("must alternate"),
    });
  });

  it("answers it, and what follows, where the user's messages are joined", async () => {
    const compat = { userMessages: "joined" };
    const first = await ask(COMPACTED, compat);
    expect(first).toMatchObject({ type: "done", message: { content: [{ text: "the arch" }] } });
    const goesOn = [
      ...COMPACTED,
      ...(first.message === undefined ? [] : [first.message]),
      message(MessageType.user, "Wait."),
      message(MessageType.user, "And the pillars?"),
    ];
    expect(await ask(goesOn, compat)).toMatchObject({ type: "done" });
  });
});

function ask(context: readonly Message[], compat: object) {
  return new IO(connect(OpenAIChat, { url, model: "gemma", settings: { compat } })).write(
    context,
    () => undefined,
  );
}

/** The rule of such templates: behind the system texts the user begins, and each answers the other. */
function isAlternating(body: unknown): boolean {
  if (!isObject(body) || !Array.isArray(body.messages)) return false;
  const roles = body.messages.map(({ role }) => role);
  const spoken = roles.slice(roles[0] === "system" ? 1 : 0);
  return spoken.every((role, index) => role === (index % 2 === 0 ? "user" : "assistant"));
}

function message(type: 1 | 2, said: string): Message {
  return { type, content: [{ type: "text", text: said }] };
}
