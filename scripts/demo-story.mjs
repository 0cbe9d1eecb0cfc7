// One agent run, told on stdout: what was asked, which tools ran with what result, what the model answered.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { root } from "./steps.mjs";

const SHOWN_CHARACTERS = 400;

const shorten = (text) => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text);
const textOf = (blocks) =>
  blocks
    .filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("\n");
const indent = (text) => text.replaceAll(/^/gm, "    ");

/** What one event adds to the story. */
function tell(event) {
  switch (event.type) {
    case "text_start":
      return "\nmodel: ";
    case "text_delta":
      return event.text;
    case "text_end":
      return "\n";
    case "tool_execute":
      return `\ntool ${event.name} ${JSON.stringify(event.arguments)}\n`;
    case "tool_result":
      return `${indent(shorten(textOf(event.content)))}\n`;
    case "retry":
      return `\n(trying again: ${event.error})\n`;
    case "result":
      return `\n${event.status}: ${event.requests} requests, ${event.usage.inputTokens} tokens in, ${event.usage.outputTokens} out\n`;
    default:
      return "";
  }
}

/** Runs `ashlar agent` as a process of its own, as a user would, and resolves with its exit code. */
export async function tellRun({ model, folder, prompt }) {
  process.stdout.write(`\nfolder: ${folder}\nmodel:  ${model}\nyou:    ${prompt}\n`);
  const child = spawn(
    process.execPath,
    [`${root}packages/cli/bin/ashlar.js`, "agent", "--model", model, prompt],
    {
      cwd: folder,
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  for await (const line of createInterface({ input: child.stdout }))
    process.stdout.write(tell(JSON.parse(line)));
  const exitCode = child.exitCode ?? (await new Promise((resolve) => child.once("close", resolve)));
  return { exitCode };
}
