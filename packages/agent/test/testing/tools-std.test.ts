import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { type ToolPackSubject, toolPackConformance, unmetNeed } from "../../src/testing/index.js";

/** The standard tools as they are built; the call of each is one of its own description. */
const subject: ToolPackSubject = {
  folder: fileURLToPath(new URL("../../../tools-std", import.meta.url)),
  files: { "src/a.ts": "export const retries = 1;\n" },
  calls: [
    { tool: "read", args: { path: "src/a.ts" } },
    { tool: "read", args: { path: "src", search: { text: "retries" } } },
    { tool: "read", args: { path: "missing.ts" }, throws: "missing.ts" },
    {
      tool: "write",
      args: { path: "src/hello.ts", content: "export const hello = 1;\n" },
      changes: ["src/hello.ts"],
    },
    {
      tool: "edit",
      args: { path: "src/a.ts", edits: [{ oldText: "retries = 1", newText: "retries = 3" }] },
      changes: ["src/a.ts"],
    },
    { tool: "bash", args: { command: "echo one > one.txt && cat one.txt" }, changes: ["one.txt"] },
    { tool: "note", args: { action: "list" }, throws: "no conversation" },
    { tool: "process", args: { action: "list" }, throws: "no background commands" },
    { tool: "skill", args: { names: ["release-notes"] }, throws: "no skills here" },
    {
      tool: "resource",
      args: { name: "release-notes", path: "references/style.md" },
      throws: "no skills here",
    },
    { tool: "tool-refresh", args: {}, throws: "cannot be loaded again" },
    {
      tool: "question",
      args: {
        questions: [
          {
            question: "Which database?",
            header: "Database",
            options: [
              { label: "SQLite", description: "One file" },
              { label: "Postgres", description: "A server" },
            ],
          },
        ],
      },
    },
  ],
};

describe("the standard tools", () => {
  it.for(toolPackConformance)("conform: $name", async (each, { skip }) => {
    const reason = await unmetNeed(each);
    skip(reason !== undefined, reason);
    await expect(each.run(subject)).resolves.toBeUndefined();
  });
});
