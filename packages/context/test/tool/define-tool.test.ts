import { defineTool, nextToolRevision, type ToolDescription, toolRevision } from "@ashlar/context/tool";
import { expect, it } from "vitest";
import { failureOf } from "../support/failure.js";

const read = { description: "Read a file.", inputSchema: { type: "object" } };

it("returns its argument, with the type it was written in", () => {
  const tool = defineTool({ ...read, safe: true, fn: () => "ok" });
  const safe: true | boolean = tool.safe;
  expect(safe).toBe(true);
  expect(defineTool(read)).toBe(read);
});

it("takes a schema of a library", () => {
  const schema = { "~standard": { version: 1, vendor: "x" } } as const;
  expect(defineTool({ ...read, inputSchema: schema }).inputSchema).toBe(schema);
});

it.each([
  {
    why: "a misspelt field",
    fields: { saef: true },
    text: /^tool\.saef: a tool has no such field \(did you mean safe\?\)/,
  },
  { why: "a flag as text", fields: { safe: "yes" }, text: /^tool\.safe: expected a boolean, got a string/ },
  {
    why: "a callable that is none",
    fields: { fn: {} },
    text: /^tool\.fn: expected a function, got an object/,
  },
  {
    why: "a supplement that is a text",
    fields: { supplement: "more" },
    text: /^tool\.supplement: expected a function, got a string/,
  },
  { why: "no description", fields: { description: "" }, text: /^tool\.description: expected a text/ },
  { why: "no schema", fields: { inputSchema: undefined }, text: /^tool\.inputSchema: expected a schema/ },
  {
    why: "a schema as text",
    fields: { inputSchema: "{}" },
    text: /^tool\.inputSchema: expected an object/,
  },
  {
    why: "a replay nobody knows",
    fields: { replay: "always" },
    text: /^tool\.replay: expected never or safe/,
  },
])("refuses $why", ({ fields, text }) => {
  const wrong: ToolDescription = Object.assign({ ...read }, fields);
  const failure = failureOf(() => defineTool(wrong));
  expect(failure.kind).toBe("usage");
  expect(failure.message).toMatch(text);
});

it("counts tool revisions for the whole process", () => {
  const before = toolRevision();
  expect(nextToolRevision()).toBe(before + 1);
  expect(toolRevision()).toBe(before + 1);
});
