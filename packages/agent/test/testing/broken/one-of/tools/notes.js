export function toolDescription() {
  return {
    count: {
      description: "Counts the characters of a text.",
      inputSchema: {
        type: "object",
        properties: { text: { description: "Some text.", oneOf: [{ type: "string" }, { type: "number" }] } },
      },
      fn: count,
    },
  };
}

function count({ text }) {
  return `${text.length} characters`;
}
