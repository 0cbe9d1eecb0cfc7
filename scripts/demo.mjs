#!/usr/bin/env node
// `npm run demo`: installs, builds, and lets an agent look at this repository, told as a person wants to read it.
// The embedded scripted model answers unless `--model endpoint/model` names a real one (`--model ollama/qwen3:8b`).
import { statSync } from "node:fs";
import { checkNode, setup } from "./setup.mjs";
import { main, root, StepFailure } from "./steps.mjs";

const DEFAULT_MODEL = "test/read";
const PROMPT = "What is this project called? Use the read tool on README.md and quote its first line.";

async function options() {
  // Old versions of Node have no parseArgs, and would fail while linking a static import of it.
  const { parseArgs } = await import("node:util");
  try {
    return parseArgs({
      options: {
        model: { type: "string", default: DEFAULT_MODEL },
        folder: { type: "string", default: root },
      },
    }).values;
  } catch (error) {
    throw new StepFailure(`${error.message}. Known: --model endpoint/model, --folder path`);
  }
}

await main(async () => {
  checkNode();
  const { model, folder } = await options();
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new StepFailure(`--folder ${folder}: there is no such folder`);
  await setup({ only: "@ashlar/cli", declarations: false });
  const { tellRun } = await import("./demo-story.mjs");
  const { exitCode } = await tellRun({ model, folder, prompt: PROMPT });
  process.exitCode = exitCode;
});
