import { join } from "node:path";
import { Env } from "@ashlar/env";
import { expect, it } from "vitest";
import { put, tempFolder } from "./temp-folder.js";

it("opens", async () => {
  const root = await tempFolder();
  await put(
    join(root, "p/ai-settings.json"),
    '{ "tools": { "concurrency": 5, "timout": 3 } , "packages": ["x"]}',
  );
  const env = await Env.open(join(root, "p"), { environment: { ASHLAR_HOME: root, A: "1", MY_KEY: "s" } });
  console.log(env.cwd, env.name, JSON.stringify(env.settings), env.diagnostics, env.childEnvironment);
  env.settings.foo = { a: 1 };

  await env.close();
  expect(env.closed).toBe(true);
});
