/** Milliseconds since 1970. */
export type Clock = () => number;
/** Fills the array with random bytes and returns it. */
export type Randomness = (bytes: Uint8Array) => Uint8Array;

/** The platform's `crypto`. */
export function systemRandomness(bytes: Uint8Array): Uint8Array {
  return crypto.getRandomValues(bytes);
}

const COUNTER_LIMIT = 0x1000;
/** Every byte as two hexadecimal digits. */
const OCTETS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** Makes UUIDv7 strings that sort in the order they were made, also within one millisecond and when the clock steps back. */
export function createUuid7(now: Clock, random: Randomness): () => string {
  const nextBytes = createPool(random);
  let time = 0;
  let counter = 0;
  return () => {
    const current = Math.floor(now());
    counter += 1;
    if (current > time || counter === COUNTER_LIMIT) {
      time = Math.max(current, time + 1);
      counter = 0;
    }
    return format(time, counter, nextBytes());
  };
}

const ID_BYTES = 8;
const IDS_AT_ONCE = 16;

/** Asks for the bytes of several ids at once. */
function createPool(random: Randomness): () => Uint8Array {
  let pool: Uint8Array = new Uint8Array(0);
  let used = 0;
  return () => {
    if (used === pool.length) {
      pool = random(new Uint8Array(ID_BYTES * IDS_AT_ONCE));
      used = 0;
    }
    used += ID_BYTES;
    return pool.subarray(used - ID_BYTES, used);
  };
}

/** 48 bits of time, version 7, 12 bits of counter, 2 bits of variant, 62 random bits. */
function format(time: number, counter: number, random: Uint8Array): string {
  const digits = time.toString(16).padStart(12, "0");
  const parts = [digits.slice(0, 8), "-", digits.slice(8), "-7", counter.toString(16).padStart(3, "0"), "-"];
  random.forEach((byte, index) => {
    if (index === 2) parts.push("-");
    parts.push(OCTETS[index === 0 ? (byte & 0x3f) | 0x80 : byte] ?? "");
  });
  // One join makes one flat string; an id that is added together would keep all its pieces.
  return parts.join("");
}
