import { describe, expect, it } from "vitest";
import { openProject } from "../open-project.js";
import { contextOf, kindOf } from "./tool-folder-fixture.js";

const tool = (answer: string, flags: object = {}) => ({
  description: `Answers ${answer}.`,
  inputSchema: { type: "object" },
  fn: () => answer,
  ...flags,
});

const openWithTools = () =>
  openProject({
    options: {
      tools: [
        {
          write: tool("written"),
          read: tool("read", { safe: true }),
          shell: tool("ran", { trusted: true }),
          caged: tool("caged", { safe: true, sandbox: true }),
          vault: tool("secret", { safe: true, secret: true }),
          constructor: tool("odd name", { safe: true }),
        },
      ],
    },
  });

describe("the catalogue", () => {
  it("is sorted by name and publishes no secret tool", async () => {
    const { env } = await openWithTools();
    expect([...env.tools().keys()]).toEqual(["caged", "constructor", "read", "shell", "vault", "write"]);
    expect(env.toolDescriptors().map(({ name }) => name)).toEqual([
      "caged",
      "constructor",
      "read",
      "shell",
      "write",
    ]);
    expect(env.toolDescriptors(["write", "vault", "read"]).map(({ name }) => name)).toEqual([
      "read",
      "write",
    ]);
  });

  it("shows only tools that change nothing on the safe view", async () => {
    const { env } = await openWithTools();
    expect([...env.tools(true).keys()]).toEqual(["caged", "constructor", "read", "vault"]);
    expect([...env.safe.tools().keys()]).toEqual(["caged", "constructor", "read", "vault"]);
  });

  it("says which tools nobody can run, and why: functions of the host that need a sandbox", async () => {
    const { env } = await openWithTools();
    const refusals = [...env.tools().values()].map(({ name, refusal }) => [name, refusal?.split(",")[0]]);
    expect(Object.fromEntries(refusals)).toEqual({
      caged: "it is a function of the host's own program",
      constructor: undefined,
      read: undefined,
      shell: "it is a function of the host's own program",
      vault: undefined,
      write: "it is a function of the host's own program",
    });
  });
});

describe("a call", () => {
  it.each([
    { why: "a safe tool", name: "read", safe: true, answer: "read" },
    { why: "a tool named constructor", name: "constructor", safe: true, answer: "odd name" },
    { why: "a secret tool, by a person", name: "vault", safe: true, answer: "secret" },
  ])("runs $why", async ({ name, safe, answer }) => {
    const { env } = await openWithTools();
    expect(await env.toolCall(name, {}, contextOf(env, { safe }))).toBe(answer);
  });

  it.each([
    { why: "the context is safe", name: "shell", safe: true, says: "only tools that change nothing" },
    { why: "it could change something", name: "write", safe: false, says: "only an agent runs such a call" },
    { why: "the host trusts it", name: "shell", safe: false, says: "only an agent runs such a call" },
    {
      why: "it wants a sandbox although it is safe",
      name: "caged",
      safe: true,
      says: "only an agent has one",
    },
  ])("is refused with the reason when $why", async ({ name, safe, says }) => {
    const { env } = await openWithTools();
    const failure = await kindOf(env.toolCall(name, {}, contextOf(env, { safe })));
    expect(failure).toMatch(/^refused: /);
    expect(failure).toContain(says);
  });

  it("is refused on the safe view whatever its context says", async () => {
    const { env } = await openWithTools();
    expect(await kindOf(env.safe.toolCall("shell", {}, contextOf(env, { safe: false })))).toMatch(
      /^refused: /,
    );
    expect(await env.safe.toolCall("read", {}, contextOf(env, { safe: false }))).toBe("read");
  });

  it.each([
    { name: "Read", says: 'Did you mean "read"?' },
    { name: "wrtie", says: 'Did you mean "write"?' },
    { name: "__proto__", says: "The tools are: caged, constructor, read, shell, write." },
    { name: "toString", says: "The tools are: caged, constructor, read, shell, write." },
  ])("of the unknown name $name is answered with the list", async ({ name, says }) => {
    const { env } = await openWithTools();
    const failure = await kindOf(env.toolCall(name, {}, contextOf(env)));
    expect(failure).toMatch(/^tool: There is no tool /);
    expect(failure).toContain(says);
    expect(failure).not.toContain("vault");
    expect(env.toolValidate(name, {})).toEqual({ ok: false, problems: [failure.slice("tool: ".length)] });
  });
});
