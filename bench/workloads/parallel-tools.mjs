// W3: one response with 64 tool calls of 5 ms each, at concurrency 64.
import { countedTools } from "../tools.mjs";

export const title = "W3 64 parallel tool calls, wall ms";
export const unit = "ms";

const REPEATS = 3;

export async function measure(adapter, { calls = 64 }, { check }) {
  const { counts, tools } = countedTools();
  const run = (count) =>
    adapter.agent({ model: `p-${count}`, prompt: "go", tools, maxRounds: 10, concurrency: calls });
  await run(4);
  const walls = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    Object.assign(counts, { calls: 0, maxInFlight: 0 });
    const start = performance.now();
    await run(calls);
    walls.push(performance.now() - start);
    check(counts.calls === calls, `${counts.calls} calls instead of ${calls}`);
    check(counts.maxInFlight === calls, `${counts.maxInFlight} calls at once instead of ${calls}`);
  }
  return { value: walls.toSorted((a, b) => a - b)[Math.floor(REPEATS / 2)], growth: walls };
}
