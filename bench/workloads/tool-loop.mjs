// W2: a tool loop of many rounds; the cost of a round must not grow with the conversation.
import { countedTools } from "../tools.mjs";

export const title = "W2 tool loop, CPU ms a round";
export const unit = "ms/round";

const MARKS = [50, 100, 200, 400, 1000];

export async function measure(adapter, { rounds = 200 }, { cpuMs, check }) {
  await adapter.agent({
    model: "t-3",
    prompt: "warm",
    tools: countedTools().tools.slice(0, 1),
    maxRounds: 10,
  });
  globalThis.gc();
  const { counts, tools } = countedTools();
  const [echo] = tools;
  const marks = new Map();
  const elapsed = cpuMs();
  const marking = async (args) => {
    const result = await echo.run(args);
    if (MARKS.includes(counts.calls)) marks.set(counts.calls, elapsed());
    return result;
  };
  const { text } = await adapter.agent({
    model: `t-${rounds}`,
    prompt: "go",
    tools: [{ ...echo, run: marking }],
    maxRounds: rounds + 5,
  });
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
