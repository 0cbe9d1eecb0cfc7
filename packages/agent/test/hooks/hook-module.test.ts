import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { loadHookModule } from "../../src/hooks/hook-module.js";
import { openAgent, temporaryFolder } from "../support/open-agent.js";
import { scripted, text } from "../support/scripted-stream.js";

it("does not wait for ever for a file that hangs at its import, and trusts it with nothing", async () => {
  const { env } = await openAgent({ stream: scripted(text("ok")).stream });
  const file = join(await temporaryFolder(), "hang.mjs");
  await writeFile(file, "await new Promise(() => {});");
  expect(await loadHookModule(file, { env, revision: 1, timeoutMs: 30 })).toEqual({
    file,
    observers: [],
    interceptor: undefined,
    problems: ["it could not be loaded: its import did not end within 30 ms"],
    doubtful: true,
  });
});
