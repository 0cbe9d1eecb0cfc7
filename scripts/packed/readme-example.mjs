// The README's example, as the README prints it, in a folder that holds io and one provider: an answer streams, and
// nothing of the agent, the command line or a terminal UI came along.
import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment, root, run } from "../steps.mjs";
import { closure, install, installedOfOurs } from "../tarballs.mjs";

const MAX_LINES = 15;
const ANSWER = "Hello from the fake model.";

function exampleOfReadme() {
  const readme = readFileSync(join(root, "README.md"), "utf8");
  const [, code] = /^```js\n\/\/ example: \S+\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  assert.ok(code, "README.md has a js example");
  return code;
}

export default async ({ tarballs, scratch, server }) => {
  const code = exampleOfReadme();
  assert.ok(
    code.trimEnd().split("\n").length <= MAX_LINES,
    `the README's example has at most ${MAX_LINES} lines`,
  );
  const folder = await install(["io", "provider-ollama"], { tarballs, scratch });
  writeFileSync(join(folder, "example.mjs"), code);
  const { code: exitCode, output } = await run(process.execPath, ["example.mjs", "ok"], {
    cwd: folder,
    env: { ...environment, OLLAMA_HOST: server.url },
  });
  assert.equal(output.trim(), ANSWER);
  assert.equal(exitCode, 0);
  assert.deepEqual(installedOfOurs(folder), closure(["io", "provider-ollama"]).sort());
  for (const name of ["commander", "marked", "chokidar", "react", "ink"])
    assert.ok(!existsSync(join(folder, "node_modules", name)), `io and a provider do not bring ${name}`);
};
