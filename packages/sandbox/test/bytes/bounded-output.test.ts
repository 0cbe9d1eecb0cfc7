import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OutputKeeper } from "../../src/bytes/bounded-output.js";
import { outputText } from "../../src/index.js";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function kept(maxBytes: number, chunks: readonly Uint8Array[]) {
  const keeper = new OutputKeeper(maxBytes);
  for (const chunk of chunks) keeper.push(chunk);
  return keeper.result();
}

describe("kept output", () => {
  it("is the whole stream, or its two ends and how much is missing between them, however it was cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 30 }),
        fc.nat(200),
        (chunks, maxBytes) => {
          const all = Buffer.concat(chunks);
          const { head, tail, cutBytes } = kept(maxBytes, chunks);
          expect(head.length + tail.length + cutBytes).toBe(all.length);
          expect(head.length + tail.length).toBe(Math.min(all.length, maxBytes));
          expect(Buffer.from(head).equals(all.subarray(0, head.length))).toBe(true);
          expect(Buffer.from(tail).equals(all.subarray(all.length - tail.length))).toBe(true);
          if (all.length <= maxBytes) expect(cutBytes).toBe(0);
        },
      ),
    );
  });

  it("can be asked for more than once", () => {
    const keeper = new OutputKeeper(4);
    keeper.push(bytesOf("abcd"));
    expect(keeper.result()).toEqual(keeper.result());
    keeper.push(bytesOf("efgh"));
    expect(outputText(keeper.result())).toBe("ab\n[… 4 bytes cut …]\ngh");
  });

  it("holds no more than it keeps of a flood", () => {
    const keeper = new OutputKeeper(1000);
    const chunk = new Uint8Array(1024 * 1024).fill(97);
    for (let count = 0; count < 100; count += 1) keeper.push(chunk);
    const { head, tail, cutBytes } = keeper.result();
    expect([head.length, tail.length, cutBytes]).toEqual([500, 500, 100 * 1024 * 1024 - 1000]);
  });
});

describe("the text of output", () => {
  it.each([
    { why: "a whole stream", max: 100, text: "é🙂日 ok", shown: "é🙂日 ok" },
    {
      why: "a cut inside characters on both sides",
      max: 8,
      text: "ab🙂🙂🙂🙂cd",
      shown: "ab\n[… 12 bytes cut …]\ncd",
    },
    { why: "a cut between characters", max: 8, text: "🙂aaaa🙂", shown: "🙂\n[… 4 bytes cut …]\n🙂" },
    { why: "nothing kept", max: 0, text: "abc", shown: "\n[… 3 bytes cut …]\n" },
  ])("shows $why", ({ max, text, shown }) => {
    expect(outputText(kept(max, [bytesOf(text)]))).toBe(shown);
  });

  it("stays readable where the stream is not UTF-8", () => {
    expect(outputText(kept(10, [Uint8Array.from([97, 0xff, 0xfe, 98])]))).toBe("a\ufffd\ufffdb");
  });
});
