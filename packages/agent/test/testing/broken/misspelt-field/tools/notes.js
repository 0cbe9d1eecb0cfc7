export function toolDescription() {
  return {
    count: {
      readonly: () => true,
      description: "Counts the characters of a text.",
      inputSchema: { type: "object", properties: { text: { type: "string", description: "Some text." } } },
      fn: count,
    },
  };
}

function count({ text }) {
  return `${text.length} characters`;
}
