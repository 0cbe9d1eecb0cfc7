// The examples of the guide on embedding, copied out of the workspace and run by plain Node. Each checks its own claims.
import assert from "node:assert/strict";
import { run } from "../steps.mjs";
import { closure, copyExample, installedOfOurs } from "../tarballs.mjs";

/** What each lists, by short name. */
const EXAMPLES = {
  "embed-io": ["io", "provider-ollama", "testing"],
  "embed-agent": ["agent", "provider-test"],
};

export default async (places) => {
  for (const [name, listed] of Object.entries(EXAMPLES)) {
    const folder = await copyExample(name, places);
    const { code, output } = await run("npm", ["test"], { cwd: folder });
    assert.equal(code, 0, `examples/${name}: ${output}`);
    const brought = installedOfOurs(folder);
    assert.deepEqual(brought, closure(listed).sort());
    assert.ok(!brought.includes("cli"), `${name} does not bring the command line`);
  }
};
