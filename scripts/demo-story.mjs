// One agent run, told as text: what was asked, which tools ran with what result, what the model answered.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "./steps.mjs";

const SHOWN_CHARACTERS = 400;

const shorten = (text) => (text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)} …` : text);
const textOf = (blocks) =>
  blocks
    .filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("\n");
const indent = (text) => text.trimEnd().replaceAll(/^/gm, "    ");

/** What one event adds to the story. */
function tell(event) {
  switch (event.type) {
    case "thinking_start":
      return "\nthinks: ";
    case "text_start":
      return "\nsays:   ";
    case "thinking_delta":
    case "text_delta":
      return event.text;
    case "thinking_end":
    case "text_end":
      return "\n";
    case "tool_execute":
      return `\ncalls:  ${event.name} ${JSON.stringify(event.arguments)}\n`;
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
export async function tellRun({ model, folder, prompt, write = (text) => process.stdout.write(text) }) {
  write(`\nfolder: ${folder}\nmodel:  ${model}\nyou:    ${prompt}\n`);
  const child = spawn(
    process.execPath,
    [`${root}packages/cli/bin/ashlar.js`, "agent", "--model", model, prompt],
    { cwd: folder, stdio: ["ignore", "pipe", "inherit"] },
  );
  const closed = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) write(tell(JSON.parse(line)));
  const [exitCode] = await closed;
  return { exitCode: exitCode ?? 1 };
}
