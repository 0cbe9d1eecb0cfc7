import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { behaviours, type RunningLLM, startFakeLLM } from "../../src/index.js";

let server: RunningLLM;
beforeAll(async () => {
  server = await startFakeLLM();
});
afterAll(() => server.close());

const messages = [{ role: "user", content: "Read a.txt" }];
const wires = [
  { path: "/api/chat", body: { messages } },
  { path: "/v1/chat/completions", body: { messages, stream: true } },
  { path: "/v1/responses", body: { input: messages, stream: true } },
];
const read = { type: "function", function: { name: "read", parameters: { type: "object" } } };
const endless = ["stall", "stall-after-headers", "stall-after-text", "keepalive-forever", "slow", "cold"];

describe("the table of behaviours", () => {
  it("names each once and says in a sentence what it does", () => {
    expect(new Set(behaviours.map(({ name }) => name)).size).toBe(behaviours.length);
    for (const { name, about } of behaviours)
      expect([name, about]).toEqual([name, expect.stringMatching(/^[A-Z].*\.$/s)]);
  });

  it("stands in the README as it is", () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const rows = readme
      .split("\n")
      .flatMap((line) => /^\| `([^`]+)`\s+\| (.*?)\s*\|$/.exec(line)?.slice(1, 3) ?? []);
    const documented = rows.flatMap((cell, index) => (index % 2 === 0 ? [[cell, rows[index + 1]]] : []));
    const models = documented.filter(([name]) => behaviours.some((behaviour) => behaviour.name === name));
    expect(models).toEqual(behaviours.map(({ name, about }) => [name, about]));
  });

  const quick = behaviours.filter(({ name }) => !endless.includes(name));
  it.each(quick)("$name behaves on every wire: $about", async ({ name }) => {
    for (const { path, body } of wires) {
      const request = fetch(`${server.url}${path}`, {
        method: "POST",
        body: JSON.stringify({ model: name, ...body }),
      });
      const status = Number(/^\d{3}$/.exec(name)?.[0] ?? 0);
      const response = await request;
      if (status > 0) expect(response.status).toBe(status);
      const text = await response.text().catch((error: Error) => error.message);
      if (response.status >= 400) expect(JSON.parse(text)).toHaveProperty("error");
      else expect(text).not.toBe("");
    }
  });

  it("makes the same call in loop, in two spellings where the wire has text", async () => {
    const spellings: string[] = [];
    for (let round = 0; round < 2; round += 1) {
      const body = { model: "loop", messages, tools: [read] };
      const response = await fetch(`${server.openAIUrl}/chat/completions`, {
        method: "POST",
        body: JSON.stringify(body),
      });
      spellings.push(JSON.parse(await response.text()).choices[0].message.tool_calls[0].function.arguments);
    }
    expect(new Set(spellings).size).toBe(2);
    expect(spellings.map((text) => JSON.parse(text))).toEqual([{ path: "README.md" }, { path: "README.md" }]);
  });
});
