import { describe, expect, it } from "vitest";
import { toTools } from "../../src/request/tools.js";

const plain = {
  name: "read",
  description: "Reads.",
  inputSchema: { type: "object", properties: { path: { type: "string" } } },
};

describe("tools on Ollama's wire", () => {
  it("have the shape of functions", () => {
    expect(toTools([plain], () => undefined)).toEqual([
      { type: "function", function: { name: "read", description: "Reads.", parameters: plain.inputSchema } },
    ]);
  });

  it("carry the notes of their schema in the description", () => {
    const strict = { ...plain, inputSchema: { ...plain.inputSchema, additionalProperties: false } };
    expect(toTools([strict], () => undefined)[0]?.function.description).toBe("Reads.\nNo other properties");
  });

  it("leave one with a broken schema out, say so each time, and keep the others", () => {
    const broken = {
      name: "bad",
      description: "",
      inputSchema: { properties: { x: { $ref: "#/$defs/Nope" } } },
    };
    for (let time = 0; time < 2; time += 1) {
      const problems: string[] = [];
      const tools = toTools([broken, plain], (text) => problems.push(text));
      expect(tools.map((tool) => tool.function.name)).toEqual(["read"]);
      expect(problems).toEqual([expect.stringMatching(/The tool bad was not offered.*#\/\$defs\/Nope/)]);
    }
  });

  it("are shaped once", () => {
    const [first] = toTools([plain], () => undefined);
    const [second] = toTools([plain], () => undefined);
    expect(second?.function.parameters).toBe(first?.function.parameters);
  });
});
