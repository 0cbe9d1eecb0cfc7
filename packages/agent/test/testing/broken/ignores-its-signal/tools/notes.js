import { setTimeout } from "node:timers/promises";

export function toolDescription() {
  return {
    count: {
      description: "Counts the characters of a text.",
      inputSchema: { type: "object", properties: { text: { type: "string", description: "Some text." } } },
      fn: count,
    },
  };
}

async function count({ text }) {
  await setTimeout(60_000);
  return `${text.length} characters`;
}
