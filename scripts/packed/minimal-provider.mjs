// The smallest provider, copied out of the workspace: passes the conformance kit there, and brings nothing but the contract.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "../steps.mjs";
import { copyExample, install, installedOfOurs, pack } from "../tarballs.mjs";

const NAME = "provider-minimal";

export default async ({ tarballs, scratch }) => {
  const manifest = JSON.parse(readFileSync(join(root, "examples", NAME, "package.json"), "utf8"));
  assert.deepEqual(Object.keys(manifest.dependencies), ["@ashlar/context"]);

  const folder = await copyExample(NAME, { tarballs, scratch });
  const { code, output } = await run("npm", ["test"], { cwd: folder });
  assert.equal(code, 0, output);
  const lines = output.split("\n");
  assert.ok(lines.filter((line) => line.startsWith("passed ")).length > 20, output);
  assert.deepEqual(
    lines.filter((line) => line.startsWith("failed ")),
    [],
  );

  const user = await install(["context"], {
    tarballs,
    scratch,
    extra: { [manifest.name]: `file:${await pack(folder)}` },
  });
  assert.deepEqual(installedOfOurs(user), ["context"]);
};
