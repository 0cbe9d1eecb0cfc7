// The one command that says whether the tree is good. Each step is a script that also runs on its own.
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { setup } from "./setup.mjs";
import { main, root, run, step } from "./steps.mjs";

const testReport = join(root, "node_modules/.cache/tests.json");

function testCounts() {
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests } = JSON.parse(
    readFileSync(testReport, "utf8"),
  );
  return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests + numTodoTests };
}

async function unitTests() {
  rmSync(testReport, { force: true });
  return run("vitest", ["run", "--reporter=dot", "--reporter=json", `--outputFile.json=${testReport}`]);
}

export async function check() {
  await step("lint and format", () => run("biome", ["check", "."]), "Run: npm run format");
  await step("types", () => run("tsc", ["--noEmit", "-p", "tsconfig.json"]));
  await step("layers and cycles", () => run("node", ["scripts/layers.mjs"]));
  await step("house rules", () => run("node", ["scripts/house-rules.mjs"]));
  await step("schemas", () => run("node", ["scripts/schemas.mjs", "--check"]), "Run: npm run schemas");
  await step(
    "API declarations",
    () => run("node", ["scripts/api-report.mjs", "--check"]),
    "Run: npm run api, and read the difference",
  );
  await step("documents", () => run("node", ["scripts/documents.mjs", "--check"]), "Run: npm run documents");
  await step(
    "settings page",
    () => run("node", ["scripts/settings-page.mjs", "--check"]),
    "Run: npm run settings",
  );
  await step("unused files, exports and dependencies", () => run("knip", ["--no-progress"]));
  await step("tests", unitTests);
  await step("typedoc", () => run("typedoc", []));
  await step("packed packages", () => run("node", ["scripts/packed.mjs"]));
  await step("sizes", () => run("size-limit", []));
  const { passed, failed, skipped } = testCounts();
  process.stdout.write(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main(async () => {
    await setup();
    await check();
  });
}
