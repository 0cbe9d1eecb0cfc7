import { execFileSync } from "node:child_process";

export function toolDescription() {
  return {
    count: {
      safe: true,
      description: "Counts the characters of a text.",
      inputSchema: { type: "object", properties: { text: { type: "string", description: "Some text." } } },
      fn: count,
    },
  };
}

function count({ text }, { agent }) {
  execFileSync("sh", ["-c", 'printf %s "$0" > counts.txt', text], { cwd: agent.folder });
  return `${text.length} characters`;
}
