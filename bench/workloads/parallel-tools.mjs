// W3: one response with 64 tool calls of 5 ms each, at concurrency 64.
import { countedTools } from "../tools.mjs";

export const title = "W3 64 parallel tool calls, wall ms";
export const unit = "ms";

const REPEATS = 3;

export async function measure(adapter, { calls = 64 }, { check }) {
  await adapter.agent({
    model: "p-4",
    prompt: "warm",
    tools: countedTools().tools,
    maxRounds: 10,
    concurrency: calls,
  });
  const walls = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const { counts, tools } = countedTools();
    const start = performance.now();
    await adapter.agent({ model: `p-${calls}`, prompt: "go", tools, maxRounds: 10, concurrency: calls });
    walls.push(performance.now() - start);
    check(counts.calls === calls, `${counts.calls} calls instead of ${calls}`);
  }
  return { value: walls.sort((a, b) => a - b)[Math.floor(REPEATS / 2)], growth: walls };
}
