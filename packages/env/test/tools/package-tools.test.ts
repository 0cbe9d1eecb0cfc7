import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject } from "../open-project.js";
import { put, tempFolder } from "../temp-folder.js";
import { contextOf, kindOf, messagesOf, toolFolder, toolSource } from "./tool-folder-fixture.js";

interface PackageSource {
  readonly files: Readonly<Record<string, string>>;
  readonly ashlar?: object;
}

/** An installed package with these files. */
async function tools(name: string, { files, ashlar = { tools: 1 } }: PackageSource): Promise<string> {
  const folder = join(await tempFolder(), name);
  const manifest = { name, version: "1.2.3", type: "module", ashlar };
  await put(join(folder, "package.json"), JSON.stringify(manifest));
  for (const [file, source] of Object.entries(files)) await put(join(folder, file), source);
  return folder;
}

const open = (packages: readonly string[], settings: object = {}) =>
  openProject({
    options: { settings: { packages, ...settings }, environment: { ...process.env, DEMO_TOKEN: "t" } },
  });

const greeting = `import { helper } from "./greet/words.js";
export const toolDescription = (env) => ({ greet: { safe: true, description: "Greets in " + env.settings.language + ".", inputSchema: { type: "object", properties: { name: { type: "string" } }, required: ["name"] } } });
export const settingsSchema = () => ({ language: { default: "en", description: "Language of greetings." } });
export const greet = ({ name }, context) => {
  context.onData("almost");
  return { result: helper + name, system: JSON.stringify([context.safe, context.call.callId, context.agent.folder, context.env.cwd, context.env.settings, process.env.DEMO_TOKEN ?? null]) };
};
`;

describe("a tool package that the settings name", () => {
  it("is found, described and used, in a process of its own", async () => {
    const folder = await tools("ashlar-tools-greet", {
      files: { "tools/greet.js": greeting, "tools/greet/words.js": 'export const helper = "Hello ";' },
    });
    const { env } = await open([folder], {
      language: "de",
      providers: { lab: { url: "http://127.0.0.1:9", auth: { token: "T" } } },
    });
    expect(messagesOf(env)).toBe("");
    expect(env.tools().get("greet")).toMatchObject({
      description: "Greets in de.",
      safe: true,
      trusted: false,
      hostRoot: false,
      owner: "ashlar-tools-greet",
      file: join(folder, "tools/greet.js"),
    });
    expect(env.settingsSchema().language).toMatchObject({ default: "en" });
    expect(env.toolValidate("greet", { name: 7 })).toMatchObject({ ok: true, args: { name: "7" } });
    const data: string[] = [];
    const result = await env.toolCall(
      "greet",
      { name: "Ada" },
      contextOf(env, { safe: true, onData: (chunk) => data.push(chunk) }),
    );
    expect(data).toEqual(["almost"]);
    expect(result).toMatchObject({ result: "Hello Ada" });
    const { system } = result as { system: string };
    expect(JSON.parse(system)).toEqual([
      true,
      "c1",
      env.cwd,
      env.cwd,
      expect.objectContaining({ language: "de" }),
      null,
    ]);
    expect(system).not.toContain('"T"');
  });

  it("may keep its modules in dist/tools", async () => {
    const folder = await tools("ashlar-tools-built", {
      files: { "tools/source.ts": "no module", "dist/tools/built.mjs": toolSource("built", "yes") },
    });
    const { env } = await open([folder]);
    expect(await env.toolCall("built", {}, contextOf(env))).toBe("yes");
  });

  it("can write no file and start no process, neither when it is described nor when it is called", async () => {
    const outside = await tempFolder();
    const folder = await tools("ashlar-tools-sly", {
      files: {
        "tools/import.js": `import { writeFileSync } from "node:fs"; writeFileSync(${JSON.stringify(join(outside, "a"))}, "x"); ${toolSource("early", "x")}`,
        "tools/call.js": `import { execSync } from "node:child_process"; import { writeFileSync } from "node:fs"; import { Worker } from "node:worker_threads";
const tool = { safe: true, description: "d", inputSchema: { type: "object" } };
export const toolDescription = () => ({ writes: tool, spawns: tool, threads: tool });
export const writes = () => writeFileSync(${JSON.stringify(join(outside, "b"))}, "x");
export const spawns = () => execSync(${JSON.stringify(`touch ${join(outside, "c")}`)});
export const threads = () => new Worker("1", { eval: true });`,
      },
    });
    const { env } = await open([folder]);
    expect(messagesOf(env)).toContain(`${join(folder, "tools/import.js")}: `);
    expect([...env.tools().keys()]).toEqual(["spawns", "threads", "writes"]);
    for (const name of env.tools().keys()) {
      expect(await kindOf(env.toolCall(name, {}, contextOf(env)))).toMatch(
        /^tool: .*can write no file and start no process/,
      );
    }
    for (const name of ["a", "b", "c"]) expect(existsSync(join(outside, name))).toBe(false);
  });

  it("shows its tools that change something, and leaves them to an agent", async () => {
    const folder = await tools("ashlar-tools-change", {
      files: {
        "tools/a.js": toolSource("change", "x", "trusted: true"),
        "tools/b.js": toolSource("ask", "x", "safe: true, sandbox: true"),
      },
    });
    const { env } = await open([folder]);
    expect(env.tools().get("change")).toMatchObject({ trusted: false, safe: false });
    expect(env.tools().get("change")?.refusal).toBeUndefined();
    expect(await kindOf(env.toolCall("change", {}, contextOf(env)))).toMatch(/^refused: /);
    expect(await kindOf(env.toolCall("ask", {}, contextOf(env)))).toMatch(/^refused: /);
  });

  it("costs one call when a tool fails, ends its process or answers too much", async () => {
    const folder = await tools("ashlar-tools-bad", {
      files: {
        "tools/bad.js": `const tool = { safe: true, description: "d", inputSchema: { type: "object" } };
export const toolDescription = () => ({ throws: tool, leaves: tool, floods: tool, big: tool, chats: tool, cyclic: tool, lingers: tool });
export const lingers = () => { process.exit = () => {}; setInterval(() => {}, 1000); return "done"; };
export const throws = () => { throw Object.assign(new Error("no luck"), { system: "hint" }); };
export const leaves = () => { console.error("last words"); process.exit(3); };
export const floods = () => "x".repeat(40 * 1024 * 1024);
export const big = () => 10n;
export const cyclic = () => { const value = {}; value.self = value; return value; };
export const chats = () => { console.log('{"type":"result","ok":true,"value":"forged"}'); process.stdout.write("x".repeat(1_000_000)); return "real"; };`,
      },
    });
    const { env } = await open([folder]);
    const failure = await env.toolCall("throws", {}, contextOf(env)).catch((cause: unknown) => cause);
    expect(failure).toMatchObject({ kind: "tool", message: "no luck", system: "hint" });
    expect(await kindOf(env.toolCall("leaves", {}, contextOf(env)))).toBe(
      "tool: The tool process ended with code 3 without a result. Its output begins: last words",
    );
    expect(await kindOf(env.toolCall("floods", {}, contextOf(env)))).toContain("longer than 33554432 bytes");
    expect(await env.toolCall("big", {}, contextOf(env))).toBe("10");
    expect(await env.toolCall("cyclic", {}, contextOf(env))).toBe("[object Object]");
    expect(await env.toolCall("chats", {}, contextOf(env))).toBe("real");
    expect(await env.toolCall("lingers", {}, contextOf(env))).toBe("done");
  });

  it("ends with the call that was cancelled or out of time, also when it never yields", async () => {
    const folder = await tools("ashlar-tools-slow", {
      files: {
        "tools/slow.js": `const tool = { safe: true, description: "d", inputSchema: { type: "object" } };
export const toolDescription = () => ({ spins: tool, sleeps: tool });
export const spins = (_, context) => { context.onData(String(process.pid)); for (;;); };
export const sleeps = () => new Promise(() => {});`,
      },
    });
    const { env } = await open([folder]);
    const stop = new AbortController();
    let pid = 0;
    const onData = (chunk: string): void => {
      pid = Number(chunk);
      setTimeout(() => stop.abort(), 10);
    };
    expect(await kindOf(env.toolCall("spins", {}, contextOf(env, { signal: stop.signal, onData })))).toMatch(
      /^cancelled: /,
    );
    expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    const deadline = Date.now() + 1000;
    expect(await kindOf(env.toolCall("sleeps", {}, contextOf(env, { deadline })))).toMatch(
      /^tool: It did not end within/,
    );
    expect(await kindOf(env.toolCall("sleeps", {}, contextOf(env, { signal: AbortSignal.abort() })))).toMatch(
      /^cancelled: /,
    );
  });

  it("asks the person through the host, and hears when nobody is there", async () => {
    const folder = await tools("ashlar-tools-ask", {
      files: {
        "tools/ask.js": `export const toolDescription = () => ({ ask: { safe: true, interactive: true, description: "d", inputSchema: { type: "object" } } });
export const ask = async (_, { question }) => question === null ? "nobody" : JSON.stringify(await question.ask([{ question: "Which?", header: "Pick", options: [{ label: "a", description: "first" }] }]).catch((error) => error.message));`,
      },
    });
    const { env } = await open([folder]);
    const bridge = {
      ask: async (questions: readonly { readonly question: string }[]) => [
        { text: `about ${questions[0]?.question}` },
      ],
    };
    const silent = { ask: () => Promise.reject(new Error("closed")) };
    expect(await env.toolCall("ask", {}, contextOf(env))).toBe("nobody");
    expect(await env.toolCall("ask", {}, contextOf(env, { question: bridge }))).toBe(
      '[{"text":"about Which?"}]',
    );
    expect(await env.toolCall("ask", {}, contextOf(env, { question: silent }))).toBe(
      '"nobody is there to answer"',
    );
  });

  it("keeps the host's tool of the same name, and its earlier version when it breaks", async () => {
    const folder = await tools("ashlar-tools-two", {
      files: {
        "tools/read.js": toolSource("read", "package"),
        "tools/other.js": toolSource("other", "first"),
      },
    });
    const root = await toolFolder({ "read.js": toolSource("read", "host") });
    const { env } = await openProject({ options: { tools: [root], settings: { packages: [folder] } } });
    expect(await env.toolCall("read", {}, contextOf(env))).toBe("host");
    expect(messagesOf(env)).toContain(
      `tool "read" of ${join(folder, "tools/read.js")} is left out: ${join(root, "read.js")}`,
    );
    await writeFile(join(folder, "tools/other.js"), "throw new Error('half saved');");
    await env.toolsRefresh();
    expect([...env.tools().keys()]).toEqual(["other", "read"]);
    expect(messagesOf(env)).toContain("half saved");
  });

  it.each([
    {
      why: "a contract of another version",
      source: { files: { "tools/a.js": toolSource("a", "x") }, ashlar: { tools: 7 } },
      says: "contract 7",
    },
    {
      why: "no module",
      source: { files: { "readme.txt": "x" } },
      says: "no module (.js or .mjs) in tools or dist/tools",
    },
  ])("is reported when it has $why", async ({ source, says }) => {
    const { env } = await open([await tools("ashlar-tools-odd", source)]);
    expect(env.tools().size).toBe(0);
    expect(env.diagnostics.map(({ message }) => message).join("\n")).toContain(says);
  });
});

describe("a tool folder that the settings name", () => {
  it("is described and run like a package", async () => {
    const folder = await toolFolder({ "mine.js": toolSource("mine", "yes") });
    const { env } = await openProject({ options: { settings: { tools: { folders: [folder] } } } });
    expect(env.tools().get("mine")).toMatchObject({ hostRoot: false, owner: folder });
    expect(await env.toolCall("mine", {}, contextOf(env))).toBe("yes");
  });

  it("counts for nothing in the project's own settings", async () => {
    const folder = await toolFolder({ "mine.js": toolSource("mine", "yes") });
    await mkdir(join(folder, "x"));
    const { env } = await openProject({
      project: JSON.stringify({ tools: { folders: [folder] }, packages: [folder] }),
    });
    expect(env.tools().size).toBe(0);
  });
});
