// A third-party tool package, copied out of the workspace: needs nothing of ours, is found by the settings key `packages`
// and used by the command line and by an agent run.
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment, run } from "../steps.mjs";
import { closure, copyExample, install, installedOfOurs, npmInstall, pack } from "../tarballs.mjs";

const NAME = "ashlar-tools-minimal";
const TOOL = "days-between";
const ARGUMENTS = { from: "2027-03-26", to: "2027-03-30" };
const RESULT = "4 days";
const SCRIPT = [{ toolCall: { name: TOOL, arguments: ARGUMENTS } }, { text: "It is four days." }];

/** Its own test, in a folder with what it is used and proved with, and nothing above it. */
async function worksOutside(places) {
  const folder = await copyExample("tools-minimal", places);
  const { code, output } = await run("npm", ["test"], { cwd: folder });
  assert.equal(code, 0, output);
  assert.deepEqual(installedOfOurs(folder), closure(["agent", "env"]).sort());
  return pack(folder);
}

/** Installed by itself, it brings no package at all. */
async function bringsNothing(tarball, scratch) {
  const folder = mkdtempSync(join(scratch, "alone-"));
  await npmInstall(folder, [tarball]);
  assert.deepEqual(installedOfOurs(folder), []);
}

/** A command line in `folder` whose user has these settings. */
function commandLine(folder, settings) {
  const home = join(folder, "home");
  mkdirSync(join(home, "config"), { recursive: true });
  writeFileSync(join(home, "config/settings.json"), JSON.stringify(settings));
  return (...args) =>
    run(process.execPath, ["node_modules/@ashlar/cli/bin/ashlar.js", ...args], {
      cwd: folder,
      env: { ...environment, ASHLAR_HOME: home },
    });
}

async function isUsedByAnAgent(ashlar) {
  const { code, output } = await ashlar("agent", "--no-session", "--model", "test/days", "How many days?");
  assert.equal(code, 0, output);
  const events = output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  const result = events.find(({ type, name }) => type === "tool_result" && name === TOOL);
  assert.deepEqual(result?.content, [{ type: "text", text: RESULT }]);
  assert.deepEqual(events.at(-1).message.content, [{ type: "text", text: "It is four days." }]);
}

export default async ({ tarballs, scratch }) => {
  const tarball = await worksOutside({ tarballs, scratch });
  await bringsNothing(tarball, scratch);

  const providers = { test: { models: { days: { script: SCRIPT } } } };
  const beside = await install(["cli"], { tarballs, scratch, extra: { [NAME]: `file:${tarball}` } });
  const byPath = commandLine(beside, { providers, packages: [join(beside, "node_modules", NAME)] });
  assert.match((await byPath("tool")).output, new RegExp(`^${TOOL} {2}`, "m"));
  const words = Object.entries(ARGUMENTS).map(([key, value]) => `${key}:${value}`);
  assert.equal((await byPath("tool", TOOL, ...words)).output, `${RESULT}\n`);
  await isUsedByAnAgent(byPath);

  const byName = commandLine(beside, { providers, packages: [NAME] });
  const packages = join(beside, "home/data/packages");
  const missing = await byName("tool");
  assert.match(missing.output, /"ashlar-tools-minimal" was not found in .* npm install --prefix /);
  mkdirSync(packages, { recursive: true });
  await npmInstall(packages, ["--prefix", packages, tarball]);
  await isUsedByAnAgent(byName);
};
