import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonValue, ToolModule } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { toolsRoot } from "../src/index.js";
import { readBudget } from "../src/read/read-budget.js";
import * as bash from "../src/tools/bash.js";
import * as edit from "../src/tools/edit.js";
import * as note from "../src/tools/note.js";
import * as process from "../src/tools/process.js";
import * as question from "../src/tools/question.js";
import * as read from "../src/tools/read.js";
import * as resource from "../src/tools/resource.js";
import * as skill from "../src/tools/skill.js";
import * as refresh from "../src/tools/tool-refresh.js";
import * as write from "../src/tools/write.js";
import { project, toolContext, writingContext } from "./support/project.js";

const sources = {
  bash,
  edit,
  note,
  process,
  question,
  read,
  resource,
  skill,
  "tool-refresh": refresh,
  write,
};
const all = Object.values(sources).flatMap((source) => Object.entries(source.toolDescription()));

async function built<Source>(name: string): Promise<ToolModule & Source> {
  const file = join(toolsRoot, `${name}.js`);
  expect(existsSync(file), "build first: npm run build").toBe(true);
  // The module says what it exports; its source is the type of it.
  return (await import(pathToFileURL(file).href)) as ToolModule & Source;
}

describe("the folder of tools", () => {
  it("holds one built module for each, which describes itself as its source does", async () => {
    const modules = readdirSync(toolsRoot).filter((file) => file.endsWith(".js"));
    expect(modules.sort()).toEqual(Object.keys(sources).map((name) => `${name}.js`));
    for (const [name, source] of Object.entries(sources)) {
      const module = await built(name);
      // Functions are compared by what they answer, elsewhere.
      expect(JSON.stringify(module.toolDescription?.(toolContext("/").env))).toBe(
        JSON.stringify(source.toolDescription()),
      );
      const entry = module.toolDescription?.(toolContext("/").env)[name];
      // A name that is no word of JavaScript is no export.
      expect(name in module ? { fn: Reflect.get(module, name) } : entry).toMatchObject({
        fn: expect.any(Function),
      });
    }
  });

  it("works as it is built: patterns have their thread, differences their library, bash its shell", async () => {
    const folder = project({ "a.txt": "x\n" });
    const reader = await built<typeof read>("read");
    expect(await reader.read({ path: ".", search: { regex: "^x$" } }, toolContext(folder))).toBe(
      "a.txt\n1: x\n",
    );
    const editor = await built<typeof edit>("edit");
    const edited = await editor.edit(
      { path: "a.txt", edits: [{ oldText: "x", newText: "y" }] },
      writingContext(folder),
    );
    expect(edited).toMatchObject({ display: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-x\n+y\n" });
    const shell = await built<typeof bash>("bash");
    expect(await shell.bash({ command: "cat a.txt" }, writingContext(folder))).toBe("y\n");
  });
});

describe("what a model is told of each tool", () => {
  it.each(all)(
    "%s: is short, has an example that its schema knows, and a portable schema",
    (_, { description, inputSchema }) => {
      expect(description.length).toBeLessThan(500);
      const example: Readonly<Record<string, JsonValue>> = JSON.parse(
        /Example: (\{.*\})$/.exec(description)?.[1] ?? "null",
      );
      const schema = inputSchema as { readonly properties: object; readonly required?: readonly string[] };
      expect(Object.keys(schema.properties)).toEqual(expect.arrayContaining(Object.keys(example)));
      expect(Object.keys(example)).toEqual(expect.arrayContaining([...(schema.required ?? [])]));
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(JSON.stringify(inputSchema)).not.toMatch(
        /"(?:oneOf|allOf|not|if|\$ref|patternProperties|propertyNames)":/,
      );
    },
  );

  it("says truly which of them change something", () => {
    const flags = all.map(([name, { safe = false, trusted = false, interactive = false }]) => [
      name,
      safe,
      trusted,
      interactive,
    ]);
    expect(flags).toEqual([
      ["bash", false, false, false],
      ["edit", false, false, false],
      ["note", true, false, false],
      ["process", true, false, false],
      ["question", true, false, true],
      ["read", true, false, false],
      ["resource", true, false, false],
      ["skill", true, false, false],
      ["tool-refresh", true, false, false],
      ["write", false, false, false],
    ]);
  });

  it("loads no library before it is needed", () => {
    for (const name of Object.keys(sources)) {
      const code = readFileSync(join(toolsRoot, `${name}.js`), "utf8");
      expect(code).not.toMatch(/^import [^;]* from "(?:diff|picomatch|ignore)"/m);
    }
  });
});

describe("the settings of the tools", () => {
  it("document the limits of read, and keep the default of what is no positive integer", () => {
    const { read: settings } = read.settingsSchema();
    expect(settings?.default).toMatchObject({ scanBytes: 67_108_864, regexMs: 1000 });
    for (const value of [0, -1, 1.5, "9", null, Number.NaN]) {
      expect(readBudget({ read: { files: value } })).toEqual(settings?.default);
    }
    expect(readBudget({ read: { files: 5 } }).files).toBe(5);
    for (const given of [{}, { read: 7 }, { read: null }, { read: [] }])
      expect(readBudget(given)).toEqual(settings?.default);
  });
});
