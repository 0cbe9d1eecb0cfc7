#!/usr/bin/env node
// The test suite on the other supported Node lines, and the built packages on Bun and Deno.
// Runtimes come from the npm registry, each into a folder of its own below .runtimes (never into the workspace).
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeLLM } from "../packages/testing/dist/index.js";
import { environment, main, root, run, StepFailure, step } from "./steps.mjs";
import { install, packAll, scratchFolder } from "./tarballs.mjs";

// Beside Node 20, on which `npm test` runs.
const NODE_LINES = ["22.23.3", "24.21.0"];
const OTHERS = [
  { name: "bun", version: "1.4.4", args: [] },
  { name: "deno", version: "2.9.6", args: ["run", "-A"] },
];

/** The folder that holds one runtime's binary, installed when missing. */
async function runtime(name, version) {
  const folder = join(root, ".runtimes", `${name}-${version}`);
  const binaries = join(folder, "node_modules/.bin");
  if (existsSync(join(binaries, name))) return binaries;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const { code, output } = await run(
    "npm",
    ["install", "--no-audit", "--no-fund", "-E", `${name}@${version}`],
    { cwd: folder },
  );
  if (code !== 0) throw new StepFailure(`${name}@${version} could not be installed:\n${output}`);
  return binaries;
}

async function testsOn(version) {
  const binaries = await runtime("node", version);
  const report = join(root, "node_modules/.cache", `tests-${version}.json`);
  const result = await run(
    join(binaries, "node"),
    [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--reporter=dot",
      "--reporter=json",
      `--outputFile.json=${report}`,
    ],
    {
      env: { ...environment, PATH: `${binaries}:${environment.PATH}` },
    },
  );
  if (result.code !== 0) return result;
  const { numPassedTests, numPendingTests } = JSON.parse(readFileSync(report, "utf8"));
  return { ...result, note: `${numPassedTests} passed, ${numPendingTests} skipped` };
}

/** Imports every package and streams one answer, from tarballs. */
async function smoke({ name, version, args }, folder, url) {
  const binaries = await runtime(name, version);
  return run(join(binaries, name), [...args, "smoke.mjs"], {
    cwd: folder,
    env: { ...environment, OLLAMA_HOST: url, ASHLAR_HOME: join(folder, "home") },
  });
}

await main(async () => {
  for (const version of NODE_LINES) await step(`tests on Node ${version}`, () => testsOn(version));
  const scratch = scratchFolder();
  const server = await startFakeLLM({ port: 0 });
  try {
    const folder = await install(["cli", "testing"], { tarballs: await packAll(scratch), scratch });
    writeFileSync(join(folder, "smoke.mjs"), readFileSync(join(root, "scripts/smoke.mjs"), "utf8"));
    writeFileSync(join(folder, "README.md"), "# Stone bridge\n");
    for (const other of OTHERS)
      await step(`built packages on ${other.name} ${other.version}`, () => smoke(other, folder, server.url));
  } finally {
    await server.close();
    rmSync(scratch, { recursive: true, force: true });
  }
});
