import { existsSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { ToolModule } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { toolsRoot } from "../src/index.js";
import { readBudget } from "../src/read/read-budget.js";
import * as source from "../src/tools/read.js";
import { project, toolContext } from "./support/project.js";

describe("the folder of tools", () => {
  it("holds the built module, which reads like its source", async () => {
    const file = join(toolsRoot, "read.js");
    expect(existsSync(file), "build first: npm run build").toBe(true);
    // The module says what it exports; this is what the test uses of it.
    const built = (await import(pathToFileURL(file).href)) as ToolModule & {
      readonly read: typeof source.read;
    };
    const folder = project({ "a.txt": "x\n" });
    expect(built.toolDescription?.(toolContext(folder).env)).toEqual(source.toolDescription());
    expect(await built.read({ path: "a.txt" }, toolContext(folder))).toBe("1\tx\n");
    expect(await built.read({ path: ".", search: { regex: "^x$" } }, toolContext(folder))).toBe(
      "a.txt\n1: x\n",
    );
  });
});

describe("the read tool", () => {
  it("is safe, may be run again, and names its arguments as its schema does", () => {
    const { read } = source.toolDescription();
    expect(read).toMatchObject({ safe: true, replay: "safe" });
    expect(read?.inputSchema).toMatchObject({
      type: "object",
      required: ["path"],
      additionalProperties: false,
    });
    expect(read?.description.length).toBeLessThan(500);
  });

  it("documents its limits, and keeps the default of what is no positive integer", () => {
    const { read } = source.settingsSchema();
    expect(read?.default).toMatchObject({ scanBytes: 67_108_864, regexMs: 1000 });
    for (const value of [0, -1, 1.5, "9", null, Number.NaN]) {
      expect(readBudget({ read: { files: value } })).toEqual(read?.default);
    }
    expect(readBudget({ read: { files: 5 } }).files).toBe(5);
    for (const settings of [{}, { read: 7 }, { read: null }, { read: [] }])
      expect(readBudget(settings)).toEqual(read?.default);
  });
});
