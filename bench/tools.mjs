// The two tools of the tool workloads, counted, and the conversation of the idle workload.
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const schema = {
  type: "object",
  properties: { i: { type: "number" } },
  required: ["i"],
  additionalProperties: false,
};

/** Fresh tools and the count of what ran, so that a workload can check an adapter's work. */
export function countedTools() {
  const counts = { calls: 0, inFlight: 0, maxInFlight: 0 };
  const counted = (body) => async (args) => {
    counts.calls += 1;
    counts.inFlight += 1;
    counts.maxInFlight = Math.max(counts.maxInFlight, counts.inFlight);
    try {
      return await body(args);
    } finally {
      counts.inFlight -= 1;
    }
  };
  const tools = [
    { name: "echo", description: "Echo a number", schema, run: counted(async ({ i }) => `echo ${i}: ok`) },
    {
      name: "sleep",
      description: "Sleep 5 ms",
      schema,
      run: counted(async ({ i }) => {
        await sleep(5);
        return `slept ${i}`;
      }),
    },
  ];
  return { counts, tools };
}

/** Twenty distinct messages of about 400 characters, shared with no other agent. */
export function conversation(seed) {
  return Array.from({ length: 20 }, (_, index) => {
    let text = `agent ${seed} message ${index}: `;
    while (text.length < 400) text += `${Math.random().toString(36).slice(2)} `;
    return { role: index % 2 === 0 ? "user" : "assistant", content: Buffer.from(text).toString("latin1") };
  });
}
