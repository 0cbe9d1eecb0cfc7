/** Milliseconds since 1970. */
export type Clock = () => number;
/** Fills the array with random bytes and returns it. */
export type Randomness = (bytes: Uint8Array) => Uint8Array;

const COUNTER_LIMIT = 0x1000;

/** Makes UUIDv7 strings that sort in the order they were made, also within one millisecond and when the clock steps back. */
export function createUuid7(now: Clock, random: Randomness): () => string {
  const bytes = new Uint8Array(8);
  let time = 0;
  let counter = 0;
  return () => {
    const current = Math.floor(now());
    counter += 1;
    if (current > time || counter === COUNTER_LIMIT) {
      time = Math.max(current, time + 1);
      counter = 0;
    }
    const stamp = time.toString(16).padStart(12, "0");
    const tail = hex(random(bytes));
    const variant = ((Number.parseInt(tail[0] ?? "0", 16) & 0b11) | 0b1000).toString(16);
    const sequence = counter.toString(16).padStart(3, "0");
    return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${sequence}-${variant}${tail.slice(1, 4)}-${tail.slice(4)}`;
  };
}

function hex(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += (byte + 0x100).toString(16).slice(1);
  return text;
}
