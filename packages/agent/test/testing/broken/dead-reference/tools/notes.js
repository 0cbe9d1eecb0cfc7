export function toolDescription() {
  return {
    count: {
      description: "Counts the characters of a text.",
      inputSchema: { type: "object", properties: { text: { $ref: "#/$defs/text" } } },
      fn: count,
    },
  };
}

function count({ text }) {
  return `${text.length} characters`;
}
