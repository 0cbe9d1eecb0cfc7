import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { ToolContext } from "@ashlar/context/tool";
import { Env } from "@ashlar/env";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { importToolModule } from "../../src/tools/tool-folder.js";
import { openProject } from "../open-project.js";
import { put } from "../temp-folder.js";
import { referencing } from "./schema/reference-schemas.js";
import { contextOf, kindOf, messagesOf, toolFolder, toolSource } from "./tool-folder-fixture.js";

const open = async (modules: Readonly<Record<string, string>>) => {
  const root = await toolFolder(modules);
  const { env } = await openProject({ options: { tools: [root] } });
  return { env, root };
};

describe("a host's tool folder", () => {
  it("publishes its own modules in the order of the names, and nothing of its sub-folders", async () => {
    const { env, root } = await open({
      "zebra.js": `import { text } from "./zebra/helper.js"; ${toolSource("zebra", "z").replace('"z"', "text")}`,
      "zebra/helper.js": 'export const text = "helped"; globalThis.helperRuns = 1;',
      "zebra/secret.js": toolSource("hidden", "h"),
      "ant.mjs": toolSource("ant", "a"),
      "notes.txt": "no module",
      "types.d.ts": "no module",
    });
    expect([...env.tools().keys()]).toEqual(["ant", "zebra"]);
    expect(env.tools().get("zebra")).toMatchObject({
      hostRoot: true,
      owner: root,
      file: join(root, "zebra.js"),
      safe: true,
    });
    expect(await env.toolCall("zebra", {}, contextOf(env))).toBe("helped");
    expect(env.diagnostics).toEqual([]);
  });

  it("takes describe when there is no toolDescription, and fn when nothing of the name is exported", async () => {
    const { env } = await open({
      "a.js": `export const describe = (env) => ({ ["in-" + env.settings.place]: { safe: true, description: "d", inputSchema: { type: "object" }, fn: (args, context) => context.call.callId } });`,
      "b.js": "globalThis.sideEffect = true;",
    });
    expect(messagesOf(env)).toBe("");
    expect([...env.tools().keys()]).toEqual(["in-undefined"]);
    expect(await env.toolCall("in-undefined", {}, contextOf(env))).toBe("c1");
  });

  it("is never run in this process with arguments that change something", async () => {
    const { env } = await open({
      "copy.js": `export const toolDescription = () => ({ copy: { safe: true, description: "d", inputSchema: { type: "object" }, readOnly: (args) => args.target === undefined, writes: (args) => [args.target] } });
export const copy = (args) => JSON.stringify(args);`,
    });
    expect(await env.toolCall("copy", {}, contextOf(env))).toBe("{}");
    expect(await kindOf(env.toolCall("copy", { target: "a" }, contextOf(env)))).toMatch(
      /^refused: .*only an agent runs such a call/,
    );
    expect(env.tools().get("copy")?.writes?.({ target: "a" })).toEqual(["a"]);
  });

  it("leaves out what cannot be used, names file and reason, and keeps the rest", async () => {
    const { env, root } = await open({
      "broken.js": "throw new Error('not today');",
      "syntax.js": "export const = 1;",
      "throws.js": "export const toolDescription = () => { throw new Error('no description'); };",
      "mixed.js": `export const plain = () => "ok";
const tool = { safe: true, description: "d", inputSchema: { type: "object" } };
export const toolDescription = () => ({
  plain: tool,
  absent: tool,
  "no name!": tool,
  wordless: { ...tool, description: " " },
  schemaless: { ...tool, inputSchema: undefined },
  flagged: { ...tool, safe: "yes" },
  lost: { ...tool, inputSchema: { type: "object", properties: { q: { $ref: "#/$defs/Nope" } } } },
  listed: { ...tool, inputSchema: { type: "object", properties: [] } },
  refs: { ...tool, fn: () => 1, inputSchema: ${JSON.stringify(referencing)} },
});`,
    });
    expect([...env.tools().keys()]).toEqual(["plain", "refs"]);
    const said = messagesOf(env);
    for (const [file, reason] of [
      ["broken.js", "not today"],
      ["syntax.js", "gives no tools"],
      ["throws.js", "no description"],
      ["mixed.js", 'tool "absent" is left out: the module exports no function absent'],
      ["mixed.js", 'tool "no name!" is left out'],
      ["mixed.js", 'tool "wordless" is left out: description'],
      ["mixed.js", 'tool "schemaless" is left out: inputSchema is missing'],
      ["mixed.js", 'tool "flagged" is left out: safe must be true or false'],
      ["mixed.js", 'tool "lost" is left out: inputSchema.properties.q.$ref "#/$defs/Nope" points at nothing'],
      ["mixed.js", 'tool "listed" is left out: inputSchema.properties must be an object'],
    ] as const) {
      expect(
        said.split("\n").some((line) => line.startsWith(join(root, file)) && line.includes(reason)),
      ).toBe(true);
    }
  });

  it("sends every reference of a schema along with what it points at", async () => {
    const { env } = await open({
      "refs.js": `export const refs = () => 1; export const toolDescription = () => ({ refs: { description: "d", inputSchema: ${JSON.stringify(referencing)} } });`,
    });
    expect(env.toolDescriptors()).toEqual([{ name: "refs", description: "d", inputSchema: referencing }]);
    const args = { q: { text: "a" } };
    expect(env.toolValidate("refs", args)).toEqual({ ok: true, args, notes: [] });
  });

  it("imports again on refresh, and keeps the earlier version of what fails then", async () => {
    const { env, root } = await open({
      "a.js": toolSource("a", "first"),
      "b.js": toolSource("b", "first"),
      "c.js": toolSource("c", "first"),
    });
    await writeFile(join(root, "a.js"), toolSource("a", "second"));
    await writeFile(join(root, "b.js"), "throw new Error('half saved');");
    await rm(join(root, "c.js"));
    await put(join(root, "d.js"), toolSource("d", "new"));
    await env.toolsRefresh();
    expect([...env.tools().keys()]).toEqual(["a", "b", "d"]);
    expect(await env.toolCall("a", {}, contextOf(env))).toBe("second");
    expect(await env.toolCall("b", {}, contextOf(env))).toBe("first");
    expect(messagesOf(env)).toContain(
      `${join(root, "b.js")} gives no tools: half saved. The earlier version stays.`,
    );
  });

  it("gives a name to the first that brings it and refuses the second, naming both", async () => {
    const { env, root } = await open({
      "a.js": toolSource("same", "first"),
      "b.js": toolSource("same", "second"),
    });
    expect(await env.toolCall("same", {}, contextOf(env))).toBe("first");
    expect(messagesOf(env)).toBe(
      `tool "same" of ${join(root, "b.js")} is left out: ${join(root, "a.js")} has a tool of that name`,
    );
  });

  it("documents the settings its modules read", async () => {
    const { env } = await open({
      "a.js": `${toolSource("a", "x")}export const settingsSchema = () => ({ weather: { default: { unit: "C" }, description: "Where it rains." } });`,
      "b.js": `${toolSource("b", "x")}export const settingsSchema = () => ({ bad: 1 });`,
    });
    expect(env.settingsSchema().weather).toMatchObject({
      default: { unit: "C" },
      description: "Where it rains.",
    });
    expect(messagesOf(env)).toContain("settingsSchema(): bad needs a default and a description");
  });

  it("may not extend Env while it is imported, not even after a wait", async () => {
    vi.stubGlobal("ashlarEnvForTest", Env);
    onTestFinished(() => {
      vi.unstubAllGlobals();
    });
    const { env, root } = await open({
      "early.js": `globalThis.ashlarEnvForTest.extend({ name: "x", methods: { x() {} } }); ${toolSource("early", "x")}`,
      "late.js": `await new Promise((done) => setTimeout(done, 5)); globalThis.ashlarEnvForTest.extend({ name: "y", methods: { y() {} } }); ${toolSource("late", "x")}`,
    });
    expect([...env.tools().keys()]).toEqual([]);
    expect(messagesOf(env)).toContain(`${join(root, "early.js")} gives no tools: Plugin`);
    expect(messagesOf(env)).toContain(`${join(root, "late.js")} gives no tools: Plugin`);
  });

  it("reports an import that does not end", async () => {
    const root = await toolFolder({ "hangs.js": "await new Promise(() => {});" });
    const options = { owner: root, env: { cwd: root, settings: {} }, revision: 0, timeoutMs: 50 };
    expect(await kindOf(importToolModule(join(root, "hangs.js"), options))).toBe(
      "no kind: its import did not end within 50 ms",
    );
  });

  it.each([
    { why: "it does not exist", folder: "/no/such/folder", says: "ENOENT" },
    { why: "its path is relative", folder: "tools", says: "absolute" },
  ])("is reported when $why", async ({ folder, says }) => {
    const { env } = await openProject({ options: { tools: [folder] } });
    expect(messagesOf(env)).toContain(`Tool folder ${folder} is left out`);
    expect(messagesOf(env)).toContain(says);
  });
});

describe("tools described in code", () => {
  it("run by their fn, and are left out without one", async () => {
    const description = { description: "d", inputSchema: { type: "object" }, safe: true };
    const { env } = await openProject({
      options: {
        tools: [
          {
            run: { ...description, fn: (_: never, context: ToolContext) => context.env.cwd },
            idle: description,
          },
        ],
      },
    });
    expect(await env.toolCall("run", {}, contextOf(env))).toBe(env.cwd);
    expect(messagesOf(env)).toBe('tools[0] of the host: tool "idle" is left out: it has no fn');
  });

  it("keep their own readOnly and onTimeout", async () => {
    const { env } = await openProject({
      options: {
        tools: [
          {
            t: {
              description: "d",
              inputSchema: { type: "object" },
              fn: () => "x",
              readOnly: ({ dry }: { dry: boolean }) => dry,
              onTimeout: () => "late",
            },
          },
        ],
      },
    });
    const info = env.tools().get("t");
    expect(info?.readOnly?.({ dry: true })).toBe(true);
    expect(info?.onTimeout?.({}, contextOf(env))).toBe("late");
  });
});
