export function toolDescription() {
  return {
    count: {
      description: "Count.",
      inputSchema: { type: "object", properties: { text: { type: "string", description: "Some text." } } },
      fn: count,
    },
  };
}

function count({ text }) {
  return `${text.length} characters`;
}
