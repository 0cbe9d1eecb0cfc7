import { join } from "node:path";
import { Env, type ToolIsolation } from "@ashlar/env";
import { expect, it } from "vitest";
import { openProject } from "../open-project.js";
import { put, tempFolder } from "../temp-folder.js";
import { contextOf, toolSource } from "./tool-folder-fixture.js";

it("lets one plugin describe and run the tools of packages, and says who it is to a second one", async () => {
  const folder = join(await tempFolder(), "ashlar-tools-far");
  await put(join(folder, "package.json"), JSON.stringify({ name: "ashlar-tools-far", ashlar: { tools: 1 } }));
  const file = join(folder, "tools/far.js");
  await put(file, toolSource("far", "near"));
  const seen: string[] = [];
  const isolationOf = (env: Env): ToolIsolation => ({
    describe: async ({ files }) => {
      seen.push(env.cwd);
      const tools = [{ name: "far", description: "Answers.", schema: { type: "object" }, safe: true }];
      return files.map((name) => ({ file: name, tools, settings: {}, problems: [] }));
    },
    call: async ({ name }) => `${name} was run elsewhere`,
  });
  Env.extend({ name: "elsewhere", toolIsolation: isolationOf });
  const { env } = await openProject({ options: { settings: { packages: [folder] } } });
  expect(seen).toEqual([env.cwd]);
  expect(env.tools().get("far")).toMatchObject({ file, hostRoot: false });
  expect(await env.toolCall("far", {}, contextOf(env, { safe: true }))).toBe("far was run elsewhere");
  expect(() => Env.extend({ name: "second", toolIsolation: isolationOf })).toThrow(
    expect.objectContaining({
      kind: "extend",
      details: { name: "toolIsolation", owners: ["elsewhere", "second"] },
    }),
  );
});
