// W2: a tool loop of many rounds; the cost of a round must not grow with the conversation.
import { countedTools } from "../tools.mjs";

export const title = "W2 tool loop, CPU ms a round";
export const unit = "ms/round";

const MARKS = [50, 100, 200, 400, 1000];

export async function measure(adapter, { rounds = 200 }, { cpuMs, check }) {
  const { counts, tools: counted } = countedTools();
  const [echo] = counted;
  const marks = new Map();
  let elapsed = cpuMs();
  const tools = [
    {
      ...echo,
      async run(args) {
        const result = await echo.run(args);
        if (MARKS.includes(counts.calls)) marks.set(counts.calls, elapsed());
        return result;
      },
    },
  ];
  await adapter.agent({ model: "t-3", prompt: "warm", tools, maxRounds: 10 });
  globalThis.gc();
  counts.calls = 0;
  elapsed = cpuMs();
  const { text } = await adapter.agent({ model: `t-${rounds}`, prompt: "go", tools, maxRounds: rounds + 5 });
  const total = elapsed();
  check(counts.calls === rounds, `${counts.calls} calls instead of ${rounds}`);
  check(String(text).startsWith("the quick br"), `the answer is ${JSON.stringify(text)}`);
  const reached = MARKS.filter((mark) => marks.has(mark));
  const growth = reached.map((mark, index) => {
    const before = reached[index - 1] ?? 0;
    return (marks.get(mark) - (marks.get(before) ?? 0)) / (mark - before);
  });
  return { value: total / rounds, growth };
}
