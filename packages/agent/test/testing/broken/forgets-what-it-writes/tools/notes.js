import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export function toolDescription() {
  return {
    count: {
      writes: () => ["counts.txt"],
      description: "Counts the characters of a text.",
      inputSchema: { type: "object", properties: { text: { type: "string", description: "Some text." } } },
      fn: count,
    },
  };
}

async function count({ text }, { agent }) {
  for (const name of ["counts.txt", "log.txt"]) await writeFile(join(agent.folder, name), text);
  return `${text.length} characters`;
}
