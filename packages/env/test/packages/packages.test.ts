import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type Project } from "../open-project.js";
import { put, tempFolder } from "../temp-folder.js";

const tools = (name: string, more: object = {}) =>
  JSON.stringify({ name, version: "1.2.3", type: "module", ashlar: { tools: 1 }, ...more });

const provider = (label: string) => `
export default class Lab {
  static contract = 1;
  static provider = { label: ${JSON.stringify(label)}, capabilities: { streaming: true, thinking: [], tools: true } };
  close() {}
}
`;

/** A folder that the user's settings name by path. */
async function openWithPath(
  files: Readonly<Record<string, string>>,
  project: Partial<Parameters<typeof openProject>[0]> = {},
) {
  const folder = await tempFolder();
  for (const [file, text] of Object.entries(files)) await put(join(folder, file), text);
  const opened = await openProject({ user: JSON.stringify({ packages: [folder] }), ...project });
  return { ...opened, folder };
}

const messages = ({ env }: Pick<Project, "env">): readonly string[] =>
  env.diagnostics.map(({ message }) => message);

describe("where a package is found", () => {
  it("is beside the settings file that names it, then in the data folder", async () => {
    const opened = await openProject();
    await put(
      join(opened.home, "config/node_modules/ashlar-tools-near/package.json"),
      tools("ashlar-tools-near"),
    );
    await put(join(opened.home, "data/packages/node_modules/@s/far/package.json"), tools("@s/far"));
    await put(
      join(opened.home, "data/packages/node_modules/ashlar-tools-near/package.json"),
      tools("ashlar-tools-near", { version: "9.0.0" }),
    );
    opened.env.settings.packages = ["ashlar-tools-near", "@s/far"];
    await opened.env.toolsRefresh();
    expect(opened.env.packages()).toEqual([
      {
        name: "ashlar-tools-near",
        folder: join(opened.home, "config/node_modules/ashlar-tools-near"),
        version: "1.2.3",
        kinds: ["tools"],
        contract: { tools: 1 },
        layer: "user",
        entry: join(opened.home, "config/node_modules/ashlar-tools-near/index.js"),
        manifest: { tools: 1 },
      },
      expect.objectContaining({ name: "@s/far", layer: "user" }),
    ]);
  });

  it("is never the project's node_modules, and nothing is scanned", async () => {
    const folder = await tempFolder();
    await put(join(folder, "node_modules/ashlar-tools-evil/package.json"), tools("ashlar-tools-evil"));
    const opened = await openProject({ user: '{ "packages": ["ashlar-tools-evil"] }' });
    await put(join(opened.folder, "node_modules/ashlar-tools-evil/package.json"), tools("ashlar-tools-evil"));
    await opened.env.toolsRefresh();
    expect(opened.env.packages()).toEqual([]);
    expect(messages(opened)).toContainEqual(
      expect.stringMatching(
        /"ashlar-tools-evil" was not found in .*Install it: npm install --prefix .*data\/packages ashlar-tools-evil/u,
      ),
    );
  });

  it("may be a path from the settings file's folder", async () => {
    const opened = await openProject({ user: '{ "packages": ["./mine", "../elsewhere"] }' });
    await put(join(opened.home, "config/mine/package.json"), tools("mine"));
    await put(join(opened.home, "elsewhere/package.json"), tools("elsewhere"));
    await opened.env.toolsRefresh();
    expect(opened.env.packages().map(({ name }) => name)).toEqual(["mine", "elsewhere"]);
  });

  it("is its real path, so that one package is there once", async () => {
    const folder = await tempFolder();
    await put(join(folder, "real/package.json"), tools("mine"));
    await symlink(join(folder, "real"), join(folder, "link"));
    const { env } = await openProject({
      user: JSON.stringify({ packages: [join(folder, "real"), join(folder, "link")] }),
    });
    expect(env.packages().map((pack) => pack.folder)).toEqual([join(folder, "real")]);
  });

  it.each(["../evil", "a/b/c", "UPPER", "x; rm"].map((name) => ({ name })))(
    "refuses the name $name",
    async ({ name }) => {
      const opened = await openProject({ options: { settings: { packages: [name] } } });
      expect(opened.env.packages()).toEqual([]);
      expect(opened.env.diagnostics).toHaveLength(1);
      expect(opened.env.diagnostics[0]).toMatchObject({
        kind: "package",
        message: expect.stringContaining(JSON.stringify(name)),
      });
    },
  );
});

describe("what a package is", () => {
  it("stands in its package.json and folders", async () => {
    const { env } = await openWithPath({
      "package.json": JSON.stringify({
        name: "all",
        version: "2.0.0",
        type: "module",
        exports: "./main.js",
        ashlar: { tools: 1, provider: 1 },
      }),
      "main.js": provider("All"),
      "tools/hello.js":
        "export const hello = () => 'hi'; export const toolDescription = () => ({ hello: { description: 'Say hi.', inputSchema: { type: 'object' }, safe: true } });",
      "skills/x/SKILL.md": "",
    });
    expect(env.packages()[0]).toMatchObject({
      kinds: ["provider", "tools", "content"],
      contract: { tools: 1, provider: 1 },
    });
  });

  it("brings a settings part: the packages layer, weaker than the user's", async () => {
    const { env, folder } = await openWithPath(
      {
        "package.json": JSON.stringify({ name: "content" }),
        "settings.json": '{ "model": "from/package", "tools": { "concurrency": 9 }, "packages": ["more"], }',
      },
      {},
    );
    expect(env.settings.model).toBe("from/package");
    expect(env.settingLayers("model")).toEqual([
      { layer: "packages", value: "from/package", file: join(folder, "settings.json") },
    ]);
    expect(env.packages().map(({ name }) => name)).toEqual(["content"]);
    expect(messages({ env })).toContainEqual(expect.stringContaining("packages cannot be set by a package"));
    env.settings.model = "mine";
    await env.settingsFlush();
    expect(env.settings.model).toBe("mine");
  });

  it.each([
    {
      why: "a newer tool contract",
      manifest: { name: "new", ashlar: { tools: 2 } },
      says: "new declares tools contract 2; this version knows 1. Update Ashlar",
    },
    {
      why: "a newer provider contract",
      manifest: { name: "new", ashlar: { provider: 2 } },
      says: "new declares provider contract 2; this version knows 1. Update Ashlar",
    },
    {
      why: "a contract that is no number",
      manifest: { name: "odd", ashlar: { tools: "1" } },
      says: 'Its package.json should say "ashlar": { "tools": 1 }',
    },
    {
      why: "nothing at all",
      manifest: { name: "empty" },
      says: 'empty brings nothing: no "ashlar": { "tools": 1 }',
    },
  ])("is refused with a clear message: $why", async ({ manifest, says }) => {
    const { env, folder } = await openWithPath({ "package.json": JSON.stringify(manifest) });
    expect(env.packages()).toEqual([]);
    expect(env.diagnostics).toEqual([
      { kind: "package", file: join(folder, "package.json"), message: expect.stringContaining(says) },
    ]);
  });

  it("is said, and nothing else stops, when its package.json is a folder", async () => {
    const { env } = await openWithPath({ "package.json/x": "" });
    expect(messages({ env })).toEqual([expect.stringMatching(/cannot be read: EISDIR/u)]);
  });

  it("is refused when its package.json does not parse", async () => {
    const { env, folder } = await openWithPath({ "package.json": "{" });
    expect(messages({ env })).toEqual([
      expect.stringContaining(`${join(folder, "package.json")}: it does not parse`),
    ]);
  });
});

describe("a provider package", () => {
  const manifest = (name: string, more: object) =>
    JSON.stringify({ name, type: "module", ashlar: { provider: 1 }, ...more });
  const user = (folder: string) =>
    JSON.stringify({
      packages: [folder],
      providers: { one: { provider: "lab", url: "http://127.0.0.1:9/" } },
    });

  it.each([
    {
      why: "a default export",
      more: { exports: { ".": { types: "./x.d.ts", import: "./m.js" } } },
      file: "m.js",
      text: provider("Lab"),
    },
    {
      why: "one named class",
      more: { main: "lib/m.js" },
      file: "lib/m.js",
      text: provider("Lab").replace("default ", ""),
    },
    { why: "index.js", more: {}, file: "index.js", text: provider("Lab") },
  ])("gives its class the name behind the prefix: $why", async ({ more, file, text }) => {
    const folder = await tempFolder();
    await put(join(folder, "package.json"), manifest("@someone/ashlar-provider-lab", more));
    await put(join(folder, file), text);
    const { env } = await openProject({ user: user(folder) });
    expect(env.diagnostics).toEqual([]);
    expect(env.endpoints().get("one")).toMatchObject({ provider: "lab" });
  });

  it.each([
    { why: "it throws when it is imported", text: "throw new Error('broken')", says: "broken" },
    { why: "it exports no class", text: "export const x = 1;", says: "ashlar-provider-lab" },
    {
      why: "its class has a newer contract",
      text: provider("Lab").replace("contract = 1", "contract = 2"),
      says: "contract",
    },
    {
      why: "it exports two classes",
      text: `${provider("A").replace("default class Lab", "class A")}${provider("B").replace("default class Lab", "class B")}`,
      says: "several provider classes",
    },
    { why: "its main file is not there", text: undefined, says: "index.js" },
  ])("is left out, and everything else goes on, when $why", async ({ text, says }) => {
    const folder = await tempFolder();
    await put(join(folder, "package.json"), manifest("ashlar-provider-lab", {}));
    if (text !== undefined) await put(join(folder, "index.js"), text);
    const { env } = await openProject({ user: user(folder) });
    expect(env.diagnostics[0]).toMatchObject({
      kind: "provider",
      file: join(folder, "index.js"),
      message: expect.stringContaining(says),
    });
  });

  it("counts from the refresh on that found it", async () => {
    const folder = await tempFolder();
    await put(join(folder, "package.json"), manifest("ashlar-provider-lab", {}));
    await put(join(folder, "index.js"), provider("Lab"));
    const { env, userFile } = await openProject({
      user: '{ "providers": { "one": { "provider": "lab", "url": "http://127.0.0.1:9/" } } }',
    });
    expect(() => env.connection("one/m")).toThrow(expect.objectContaining({ kind: "settings" }));
    await put(userFile, user(folder));
    await env.toolsRefresh();
    expect(env.connection("one/m").Provider.provider.label).toBe("Lab");
  });

  it("never replaces a class of the host", async () => {
    const { FakeProvider } = await import("../fake-provider.js");
    const folder = await tempFolder();
    await put(join(folder, "package.json"), manifest("ashlar-provider-fake", {}));
    await put(join(folder, "index.js"), provider("Other"));
    const { env } = await openProject({
      user: JSON.stringify({ packages: [folder] }),
      options: { providers: { fake: FakeProvider } },
    });
    expect(messages({ env })).toEqual([expect.stringContaining('the provider "fake" is there already')]);
  });
});
