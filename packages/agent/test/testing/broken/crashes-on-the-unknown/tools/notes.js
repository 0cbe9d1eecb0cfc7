export function toolDescription() {
  return {
    count: {
      description: "Counts the characters of a text.",
      inputSchema: { type: "object", properties: { text: { type: "string", description: "Some text." } } },
      fn: count,
    },
  };
}

const counters = { text: (text) => `${text.length} characters` };

function count(args) {
  return Object.entries(args)
    .map(([name, value]) => counters[name](value))
    .join(", ");
}
