// W5: the heap of an idle agent that holds 20 messages and 2 tools.
import { conversation, countedTools, sleep } from "../tools.mjs";

export const title = "W5 idle agents, heap KB each";
export const unit = "KB/agent";

async function settle() {
  for (let round = 0; round < 4; round += 1) {
    globalThis.gc();
    await sleep(20);
  }
}

export async function measure(adapter, { agents = 500 }, { check }) {
  const kept = [];
  for (let index = 0; index < 5; index += 1)
    kept.push(await adapter.idle(conversation(`warm ${index}`), countedTools().tools));
  await settle();
  const before = process.memoryUsage();
  for (let index = 0; index < agents; index += 1)
    kept.push(await adapter.idle(conversation(index), countedTools().tools));
  await settle();
  const after = process.memoryUsage();
  check(kept.length === agents + 5, "every agent is kept");
  const kilobytes = (key) => (after[key] - before[key]) / agents / 1024;
  return { value: kilobytes("heapUsed"), growth: [kilobytes("rss")] };
}
