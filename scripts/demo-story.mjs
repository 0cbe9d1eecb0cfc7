// One agent run, told as text: what was asked, which tools ran with what result, what the model answered.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { root } from "./steps.mjs";

export const ashlar = `${root}packages/cli/bin/ashlar.js`;
const SHOWN_CHARACTERS = 400;
/** A change is shown whole, so that nobody has to take it on trust. */
const DIFF_CHARACTERS = 4_000;

const shorten = (text, limit) => (text.length > limit ? `${text.slice(0, limit)} …` : text);
const textOf = (blocks = []) =>
  blocks
    .filter(({ type }) => type === "text")
    .map(({ text }) => text)
    .join("\n");
export const indent = (text) => text.trimEnd().replaceAll(/^/gm, "    ");

function tellResult({ content, refused, display }) {
  const text = shorten(textOf(content), SHOWN_CHARACTERS);
  if (refused !== undefined) return `\ndenied: ${text}\n`;
  const change = textOf(display);
  return `${indent(text)}\n${change === "" ? "" : `\n${indent(shorten(change, DIFF_CHARACTERS))}\n`}`;
}

/** What one event adds to the story. */
function tell(event) {
  switch (event.type) {
    case "thinking_start":
      return "\nthinks: ";
    case "text_start":
      return "\nsays:   ";
    case "thinking_delta":
    case "text_delta":
      return event.text.replaceAll("\n", "\n        ");
    case "thinking_end":
    case "text_end":
      return "\n";
    case "tool_execute":
      return `\ncalls:  ${event.name} ${JSON.stringify(event.arguments)}\n`;
    case "tool_result":
      return tellResult(event);
    case "retry":
      return `\n(trying again: ${event.error})\n`;
    case "notice":
      return `\n(${event.message})\n`;
    case "result":
      return `\n${event.status}: ${event.requests} requests, ${event.usage.inputTokens} tokens in, ${event.usage.outputTokens} out\n`;
    default:
      return "";
  }
}

/**
 * Runs `ashlar agent` as a process of its own, as a user would. Resolves with its exit code, how many of its calls made a
 * change that can be undone, and which tools were refused, with the reason.
 */
export async function tellRun({ model, folder, prompt, flags = [], environment = process.env, write }) {
  write(`\nfolder: ${folder}\nmodel:  ${model}\nyou:    ${prompt}\n`);
  const child = spawn(process.execPath, [ashlar, "agent", "--model", model, ...flags, prompt], {
    cwd: folder,
    env: environment,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  let changes = 0;
  let refused = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const event = JSON.parse(line);
    write(tell(event));
    if (event.type === "tool_result" && event.changes?.length > 0) changes += 1;
    if (event.type === "result") refused = event.refused ?? [];
  }
  const [exitCode] = await closed;
  return { exitCode: exitCode ?? 1, changes, refused };
}
