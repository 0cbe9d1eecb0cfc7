#!/usr/bin/env node
// `npm run demo`: installs, builds, and lets an agent look at this repository, told as a person wants to read it.
// The embedded scripted model answers unless `--model endpoint/model` names a real one (`--model ollama/qwen3:8b`).
import { parseArgs } from "node:util";
import { setup } from "./setup.mjs";
import { main, root, StepFailure } from "./steps.mjs";

const DEFAULT_MODEL = "test/read";
const PROMPT = "What is this project called? Use the read tool on README.md and quote its first line.";

function options() {
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
  const { model, folder } = options();
  await setup();
  const { tellRun } = await import("./demo-story.mjs");
  const result = await tellRun({ model, folder, prompt: PROMPT });
  process.exitCode = result.exitCode;
});
