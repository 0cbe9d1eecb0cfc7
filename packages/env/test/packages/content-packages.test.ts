import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject } from "../open-project.js";
import { put, tempFolder } from "../temp-folder.js";

const skill = (body: string): string => `---\nname: greet\ndescription: Greets\n---\n${body}\n`;

/** A package with everything that a package can bring. */
async function wholePackage(): Promise<string> {
  const folder = await tempFolder();
  const files: Readonly<Record<string, string>> = {
    "package.json": JSON.stringify({
      name: "ashlar-content-whole",
      version: "2.0.0",
      type: "module",
      exports: "./provider.js",
      ashlar: { tools: 1, provider: 1 },
    }),
    "settings.json": '{ "model": "whole/one" }',
    "tools/wave.js":
      'export const toolDescription = () => ({ wave: { description: "Waves.", safe: true, inputSchema: { type: "object" }, fn: () => "hi" } });',
    "provider.js":
      'export default class Whole { static contract = 1; static provider = { label: "Whole", capabilities: { streaming: true, thinking: [], tools: true } }; close() {} }',
    "skills/greet/SKILL.md": skill("Say hello."),
    "prompts/hello.md": "{{greet}}",
    "hooks/count.js": "export const hooks = () => ({});",
  };
  for (const [file, text] of Object.entries(files)) await put(join(folder, file), text);
  return folder;
}

describe("a package that settings name", () => {
  it("brings settings, tools, a provider, skills, prompts and hooks", async () => {
    const pack = await wholePackage();
    const { env } = await openProject({ user: JSON.stringify({ packages: [pack] }) });
    expect(env.diagnostics).toEqual([]);
    expect(env.packages()).toMatchObject([
      { name: "ashlar-content-whole", version: "2.0.0", kinds: ["provider", "tools", "content"] },
    ]);
    expect(env.settings.model).toBe("whole/one");
    expect(env.tools().get("wave")).toMatchObject({ owner: "ashlar-content-whole", hostRoot: false });
    env.settings.providers = { here: { provider: "content-whole", url: "http://127.0.0.1:9" } };
    expect(env.endpoints().get("here")?.provider).toBe("content-whole");
    expect((await env.skill("greet")).source).toBe("packages");
    expect(await env.promptExpand("/hello")).toBe('<skill name="greet">\nSay hello.\n</skill>');
    expect(await env.hookFiles()).toEqual([join(pack, "hooks/count.js")]);
  });

  it("is weaker than what comes after it, and the user and the project are stronger", async () => {
    const [first, second] = [await wholePackage(), await wholePackage()];
    await put(join(second, "skills/greet/SKILL.md"), skill("{{greet}} Again."));
    const { env, folder } = await openProject({ user: JSON.stringify({ packages: [first, second] }) });
    expect((await env.skill("greet")).body).toBe("Say hello. Again.");
    await put(join(folder, "ai-skills/greet/SKILL.md"), skill("{{greet}} Here."));
    expect((await env.skill("greet")).body).toBe("Say hello. Again. Here.");
  });

  it("that brings nothing is named, with what it could bring", async () => {
    const pack = await tempFolder();
    const manifest = await put(join(pack, "package.json"), '{ "name": "empty", "version": "1.0.0" }');
    const { env } = await openProject({ user: JSON.stringify({ packages: [pack] }) });
    expect(env.packages()).toEqual([]);
    expect(env.diagnostics).toMatchObject([{ kind: "package", file: manifest }]);
    expect(env.diagnostics[0]?.message).toMatch(
      /empty brings nothing: .*skills, prompts, hooks or settings\.json/,
    );
  });

  it("cannot be named by a project", async () => {
    const pack = await wholePackage();
    const { env } = await openProject({ project: JSON.stringify({ packages: [pack] }) });
    expect(env.packages()).toEqual([]);
    expect(await env.hookFiles()).toEqual([]);
    expect((await env.skills()).skills).toEqual([]);
  });
});
