import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RunningServer, startFakeOpenAI } from "../../src/index.js";
import { post, sseData } from "./stream.js";

let server: RunningServer;
beforeAll(async () => {
  server = await startFakeOpenAI();
});
afterAll(() => server.close());

const read = { type: "function", name: "read", parameters: { type: "object" } };
const ask = (body: object) => post(`${server.url}/responses`, { model: "ok", input: "hi", ...body });

async function stream(body: object) {
  const { text } = await ask({ stream: true, ...body });
  return sseData(text).map((line) => JSON.parse(line));
}

describe("Responses", () => {
  it("opens, fills and closes an item, then repeats the whole", async () => {
    const events = await stream({});
    const types = events.map(({ type }) => type);
    expect(types).toEqual([
      "response.created",
      "response.output_item.added",
      "response.content_part.added",
      ...Array(5).fill("response.output_text.delta"),
      "response.output_text.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual(events.map((_, index) => index));
    const deltas = events.flatMap(({ delta }) => (delta === undefined ? [] : [delta])).join("");
    expect(deltas).toBe("Hello from the fake model.");
    expect(events.at(-1).response).toMatchObject({
      status: "completed",
      output: [{ type: "message", content: [{ text: deltas }] }],
      usage: { input_tokens: expect.any(Number) },
    });
  });

  it("summarises thinking before the text", async () => {
    const { output } = (await stream({ model: "thinking" })).at(-1).response;
    expect(output).toMatchObject([
      { type: "reasoning", summary: [{ text: "The user wants an answer." }] },
      { type: "message", content: [{ text: "I thought about it." }] },
    ]);
  });

  it("sends calls with their arguments in fragments and whole", async () => {
    const events = await stream({ model: "read", tools: [read] });
    const joined = events
      .flatMap(({ type, delta }) => (type === "response.function_call_arguments.delta" ? [delta] : []))
      .join("");
    expect(joined).toBe('{"path":"README.md"}');
    expect(events.at(-1).response.output).toMatchObject([
      { type: "function_call", name: "read", arguments: joined },
    ]);
  });

  it("ends incomplete at the output limit, and with an error event after a failure", async () => {
    expect((await stream({ model: "length" })).at(-1)).toMatchObject({
      type: "response.incomplete",
      response: { incomplete_details: { reason: "max_output_tokens" } },
    });
    expect((await stream({ model: "error-after-200" })).at(-1)).toMatchObject({
      type: "error",
      message: "runner stopped: out of memory",
    });
  });

  it("pairs calls and results", async () => {
    const call = { type: "function_call", call_id: "c1", name: "read", arguments: '{"path":"a"}' };
    const output = { type: "function_call_output", call_id: "c1", output: "alpha" };
    const user = { role: "user", content: [{ type: "input_text", text: "Read a.md" }] };
    const good = await ask({
      model: "read",
      tools: [read],
      input: [user, { type: "reasoning", summary: [] }, call, output],
    });
    expect(JSON.parse(good.text).output[0].content[0].text).toBe("The first line of a is: alpha");
    const bad = await ask({ input: [user, call, user] });
    expect([bad.status, JSON.parse(bad.text).error.message]).toEqual([
      400,
      expect.stringContaining("the tool call c1 has no result"),
    ]);
  });
});
