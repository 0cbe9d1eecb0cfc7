#!/usr/bin/env node
// `npm run demo`: installs, builds, and lets an agent change a copy of this repository, told as a person wants to read it.
// The embedded scripted model answers unless `--model endpoint/model` names a real one (`--model ollama/qwen3:8b`).
// `--folder` names another folder, which is only read.
import { statSync } from "node:fs";
import { checkNode, setup } from "./setup.mjs";
import { main, root, StepFailure } from "./steps.mjs";

const READING_MODEL = "test/read";
const READING_PROMPT =
  "What is this project called? Use the read tool on README.md and quote its first line.";

const write = (text) => process.stdout.write(text);

async function options() {
  // Old versions of Node have no parseArgs, and would fail while linking a static import of it.
  const { parseArgs } = await import("node:util");
  try {
    return parseArgs({ options: { model: { type: "string" }, folder: { type: "string" } } }).values;
  } catch (error) {
    throw new StepFailure(`${error.message}. Known: --model endpoint/model, --folder path`);
  }
}

async function tellReading(folder, model = READING_MODEL) {
  const { tellRun } = await import("./demo-story.mjs");
  const flags = ["--read-only"];
  const { exitCode } = await tellRun({ model, folder, prompt: READING_PROMPT, flags, write });
  return exitCode;
}

async function tellDemo(model) {
  const { SCRIPTED_MODEL, tellChange } = await import("./demo-change.mjs");
  const { noCopy, exitCode } = await tellChange({ model: model ?? SCRIPTED_MODEL, write });
  if (noCopy === undefined) return exitCode;
  write(`\nThere is no copy of this repository to change, so it is only read: ${noCopy}\n`);
  return tellReading(root, model);
}

await main(async () => {
  checkNode();
  const { model, folder } = await options();
  if (folder !== undefined && !statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new StepFailure(`--folder ${folder}: there is no such folder`);
  await setup({ only: "@ashlar/cli", declarations: false });
  process.exitCode = folder === undefined ? await tellDemo(model) : await tellReading(folder, model);
});
