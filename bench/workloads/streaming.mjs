// W1: one streamed answer of 200,000 text deltas.
export const title = "W1 streaming, CPU µs a delta";
export const unit = "µs/delta";

const WARM_DELTAS = 2_000;

export async function measure(adapter, { deltas = 200_000, perWrite = 8 }, { cpuMs, check }) {
  await adapter.stream({ model: `s-${WARM_DELTAS}-${perWrite}`, prompt: "warm", onDelta() {} });
  globalThis.gc();
  let received = 0;
  let characters = 0;
  const quarters = [];
  const elapsed = cpuMs();
  await adapter.stream({
    model: `s-${deltas}-${perWrite}`,
    prompt: "go",
    onDelta(text) {
      received += 1;
      characters += text.length;
      if (received % (deltas / 4) === 0) quarters.push(elapsed());
    },
  });
  const total = elapsed();
  check(received > 0 && characters >= deltas * 3, `received ${received} deltas, ${characters} characters`);
  const growth = quarters.map((at, index) => ((at - (quarters[index - 1] ?? 0)) * 4000) / deltas);
  return { value: (total * 1000) / deltas, growth, received };
}
