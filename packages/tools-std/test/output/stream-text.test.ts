import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ByteDecoder } from "../../src/output/byte-decoder.js";
import { HeadTail } from "../../src/output/head-tail.js";
import { StreamText } from "../../src/output/stream-text.js";
import { TerminalText, terminalText } from "../../src/output/terminal-text.js";

/** The pieces of a value, cut at these places. */
function pieces<T extends { slice(from: number, to?: number): T; readonly length: number }>(
  value: T,
  cuts: readonly number[],
): T[] {
  const places = [0, ...cuts.map((cut) => cut % (value.length + 1)), value.length].sort(
    (left, right) => left - right,
  );
  return places.slice(1).map((to, index) => value.slice(places[index] ?? 0, to));
}

const cuts = fc.array(fc.nat(200), { maxLength: 8 });

describe("what a terminal would show", () => {
  it.each([
    { why: "plain lines", text: "a\nb\tc\n", shown: "a\nb\tc\n" },
    { why: "colours", text: "\u001b[31mred\u001b[0m\n", shown: "red\n" },
    { why: "24-bit colours", text: "\u001b[38;2;1;2;3mx\u001b[m", shown: "x" },
    {
      why: "a title and a link",
      text: "\u001b]0;title\u0007a\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\",
      shown: "alink",
    },
    {
      why: "the clipboard and the other screen",
      text: "\u001b]52;c;SGk=\u0007\u001b[?1049h\u001b[2Jtext",
      shown: "text",
    },
    { why: "8-bit sequences", text: "\u009b31mtext\u009d0;x\u009c!", shown: "text!" },
    { why: "character sets and single sequences", text: "\u001b(Ba\u001b=b\u001b7c\u001bMd", shown: "abcd" },
    { why: "a device string", text: "\u001bPq#0\u001b\\x", shown: "x" },
    { why: "progress lines", text: "\rload 0%\rload 50%\rload 100%\n", shown: "load 100%\n" },
    { why: "progress that is not over", text: "load 0%\rload 50%", shown: "load 50%" },
    { why: "a carriage return at the end", text: "load 100%\r", shown: "load 100%" },
    { why: "CRLF", text: "a\r\nb\r\r\nc", shown: "a\nb\nc" },
    { why: "a line that is erased", text: "working...\r\u001b[Kdone\n", shown: "done\n" },
    {
      why: "the whole line erased, the way npm does",
      text: "working\u001b[2K\u001b[1Gdone\n",
      shown: "done\n",
    },
    { why: "the rest of a line erased", text: "kept\u001b[K\n", shown: "kept\n" },
    { why: "a spinner with backspaces", text: "|\b/\b-\bok\n", shown: "ok\n" },
    { why: "a backspace over a wide character", text: "🙂\bx", shown: "x" },
    { why: "backspaces beyond the start", text: "a\b\b\bb", shown: "b" },
    { why: "a bell", text: "a\u0007b", shown: "ab" },
    { why: "NUL and other controls", text: "a\0b\u0003\u007f", shown: "a␀b␃␡" },
    { why: "a form feed", text: "a\u000cb", shown: "a\nb" },
    { why: "a sequence that is cut off by a line end", text: "a\u001b[31\nb", shown: "a\nb" },
    { why: "a title that never ends", text: "\u001b]0;x\nshown\n", shown: "\nshown\n" },
    { why: "an escape at the very end", text: "a\u001b", shown: "a" },
    { why: "one escape after the other", text: "\u001b\u001b[31mx", shown: "x" },
    { why: "no character above ASCII in a sequence", text: "\u001b[3é", shown: "é" },
  ])("is the same for any pieces: $why", ({ text, shown }) => {
    expect(terminalText(text)).toBe(shown);
    const terminal = new TerminalText();
    let joined = "";
    for (const unit of text.split("")) joined += terminal.push(unit);
    expect(joined + terminal.end()).toBe(shown);
  });

  it("does not lose what follows a string that never ends", () => {
    const shown = terminalText(`\u001b]${"x".repeat(10_000)}`);
    expect(shown.length).toBeGreaterThan(5000);
  });

  it("gives out a line that is too long to wait for, and still starts anew when it is written over", () => {
    const terminal = new TerminalText();
    expect(terminal.push("z".repeat(10_000))).toHaveLength(10_000);
    expect(terminal.push("tail\rnew")).toBe("\n");
    expect(terminal.end()).toBe("new");
    expect(terminal.rewritten).toBe(1);
  });

  it("counts rewrites", () => {
    const terminal = new TerminalText();
    terminal.push("\r1\r2\r3\r\n");
    expect(terminal.rewritten).toBe(2);
  });

  it("has no control character but tab and line feed, however text and pieces come", () => {
    const parts = fc.constantFrom(
      "\u001b",
      "[",
      "]",
      "31m",
      "K",
      "2K",
      "\r",
      "\n",
      "\b",
      "\u0007",
      "\\",
      "x",
      "é",
      "🙂",
      "\0",
      "\u009b",
      "\u009d",
      "\u009c",
      "\t",
      ";",
      "1G",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 40 }), cuts, (list, places) => {
        const text = list.join("");
        const terminal = new TerminalText();
        const shown =
          pieces(Array.from(text), places)
            .map((piece) => terminal.push(piece.join("")))
            .join("") + terminal.end();
        expect(shown).toBe(terminalText(text));
        expect(shown).not.toMatch(/(?![\t\n])\p{Cc}/u);
        expect(shown.isWellFormed?.() ?? true).toBe(true);
      }),
    );
  });
});

describe("bytes as text", () => {
  it("are the same for any pieces, and what is no UTF-8 is counted", () => {
    const bytes = fc.array(
      fc.constantFrom(
        [0x41],
        [0xc3, 0xa9],
        [0xf0, 0x9f, 0x99, 0x82],
        [0xef, 0xbf, 0xbd],
        [0xff],
        [0xe2, 0x82],
        [0xef],
        [0xbf],
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(bytes, cuts, (list, places) => {
        const all = Buffer.from(list.flat());
        const decoder = new ByteDecoder();
        const text =
          pieces(all, places)
            .map((piece) => decoder.push(piece))
            .join("") + decoder.end();
        const whole = new ByteDecoder();
        expect(text).toBe(whole.push(all) + whole.end());
        expect(text).toBe(new TextDecoder("utf-8", { ignoreBOM: true }).decode(all));
        expect(decoder.invalid).toBe(whole.invalid);
        // What is valid encodes to itself again; each place that is not costs one U+FFFD.
        const printed = all.toString("latin1").split("\u00ef\u00bf\u00bd").length - 1;
        expect(decoder.invalid).toBe(text.split("\ufffd").length - 1 - printed);
      }),
    );
  });
});

describe("the beginning and the end of a long text", () => {
  it("are kept for any pieces, whole characters only, and what is left out is counted", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.string({ unit: fc.constantFrom("a", "é", "🙂", "\n"), maxLength: 30 }), {
          maxLength: 12,
        }),
        (length, chunks) => {
          const kept = new HeadTail(length);
          for (const chunk of chunks) kept.push(chunk);
          const text = chunks.join("");
          const shown = kept.render();
          expect(Buffer.from(shown).toString("utf8")).toBe(shown);
          if (kept.dropped === 0) {
            expect(shown).toBe(text);
            return;
          }
          const [head = "", tail = ""] = shown.split(/\n?\[\d+ characters left out here\]\n/);
          expect(text.startsWith(head.replace(/\n$/, ""))).toBe(true);
          expect(text.endsWith(tail)).toBe(true);
          expect(shown.match(/\[(\d+) characters/)?.[1]).toBe(String(kept.dropped));
          expect(head.length + tail.length).toBeLessThanOrEqual(length + 1);
          expect(text.length - kept.dropped).toBeLessThanOrEqual(length);
          expect(text.length - kept.dropped).toBeGreaterThanOrEqual(length - 3);
        },
      ),
    );
  });
});

describe("one stream of a command", () => {
  it("is bounded before it is joined, whatever its lines", () => {
    const stream = new StreamText("stdout", 1000);
    const chunk = Buffer.from("z".repeat(65_536));
    for (let round = 0; round < 50; round += 1) stream.push(chunk);
    stream.end();
    expect(stream.text.length).toBeLessThan(1100);
    expect(stream.notes).toEqual([
      "stdout: 3276800 bytes; 3275800 characters in the middle are left out and kept nowhere. To see them, send the output to a file (command > file) and read that in parts.",
    ]);
  });

  it("counts its length after the noise is gone", () => {
    const stream = new StreamText("stdout", 100);
    for (let round = 0; round <= 1000; round += 1) stream.push(Buffer.from(`\r\u001b[Kstep ${round}`));
    stream.push(Buffer.from("\n"));
    stream.end();
    expect(stream.text).toBe("step 1000\n");
    expect(stream.notes).toEqual([
      "stdout: lines that were rewritten in place are shown as they ended (1000 rewrites).",
    ]);
  });
});
