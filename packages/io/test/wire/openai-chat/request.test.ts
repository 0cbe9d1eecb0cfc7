import { describe, expect, it } from "vitest";
import { chatWire } from "../../../src/wire/openai-chat/index.js";
import { wireContext } from "../wire-context.js";
import { refusalOf, request, TALK, TOOL } from "./talk.js";

describe("the chat request", () => {
  it("carries tools, schema, credentials, headers and settings, and nothing that is not set", () => {
    const io = wireContext({
      tools: [TOOL],
      format: {
        type: "object",
        properties: { a: { type: "string" } },
        required: ["a"],
        additionalProperties: false,
      },
      auth: { type: "api_key", token: "sesame" },
      settings: {
        temperature: 0,
        stop: ["x"],
        headers: { "X-Org": "o" },
        body: { top_k: 4, model: "never" },
      },
    });
    const [headers, body] = chatWire.context2msg(TALK, io);
    expect(headers).toEqual({ "x-org": "o", authorization: "Bearer sesame" });
    expect(body).toMatchObject({
      model: "m1",
      temperature: 0,
      stop: ["x"],
      top_k: 4,
      tools: [
        { type: "function", function: { name: "read", description: "Reads.", parameters: TOOL.inputSchema } },
      ],
      response_format: { type: "json_schema", json_schema: { name: "answer", strict: true } },
    });
    expect(Object.keys(request([])).toSorted()).toEqual(["messages", "model", "stream", "stream_options"]);
  });

  it.each([
    { settings: { temperature: "hot" }, at: "settings.temperature" },
    { settings: { stop: [1] }, at: "settings.stop" },
    { settings: { headers: { a: 1 } }, at: "settings.headers.a" },
    { settings: { body: [] }, at: "settings.body" },
  ])("names the setting that is wrong: $at", ({ settings, at }) => {
    expect(refusalOf(TALK, { settings })).toMatchObject({ kind: "malformed", details: { at } });
  });

  it("goes to the path below the base URL, and a bad base URL is said before any request", async () => {
    const urls: string[] = [];
    const send = async (url: string) => {
      const io = wireContext({ url, endpoint: "lab" });
      await chatWire.send(
        [{}, {}],
        async (request) => {
          urls.push(request.url);
          return { status: 200, headers: {}, body: empty() };
        },
        io,
      );
    };
    await send("http://h:1/v1/");
    expect(urls).toEqual(["http://h:1/v1/chat/completions"]);
    await expect(async () => send("h:1/v1")).rejects.toMatchObject({
      kind: "malformed",
      details: { at: "providers.lab.url" },
    });
    expect(urls).toHaveLength(1);
  });
});

async function* empty(): AsyncGenerator<Uint8Array> {
  yield new Uint8Array();
}
