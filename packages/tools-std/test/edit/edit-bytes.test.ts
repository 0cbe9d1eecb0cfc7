import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editPlaces } from "../../src/edit/edit-places.js";
import { splice } from "../../src/edit/edit-splice.js";
import { flatText } from "../../src/edit/flat-text.js";

const run = (raw: Buffer, edits: readonly { oldText: string; newText: string }[]): Buffer => {
  const text = flatText(raw);
  return splice(raw, text, editPlaces(text, edits, false)).bytes;
};

/** Lines that are all different, each with the end it has. */
const files = fc
  .array(
    fc.tuple(
      fc.string({ unit: fc.constantFrom("a", "é", "日", "🙂", "\t", "$", "\r"), maxLength: 4 }),
      fc.constantFrom("\n", "\r\n"),
    ),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  .map((lines) => lines.map(([text, end], index) => ({ text: `<${index}:${text}>`, end })));

describe("random edits", () => {
  it("change the texts they name and leave every other byte, whatever the line ends", () => {
    fc.assert(
      fc.property(
        files,
        fc.boolean(),
        fc.boolean(),
        fc.array(
          fc.tuple(
            fc.nat(11),
            fc.string({ unit: fc.constantFrom("x", "$&", "é", "🙂", "\\"), maxLength: 3 }),
          ),
          { maxLength: 6 },
        ),
        (lines, bom, open, wanted) => {
          const chosen = new Map(wanted.map(([at, text]) => [at % lines.length, `[${text}]`]));
          const render = (replace: boolean): string =>
            (bom ? "\ufeff" : "") +
            lines
              .map(({ text, end }, index) => {
                const last = open && index === lines.length - 1;
                return (replace ? (chosen.get(index) ?? text) : text) + (last ? "" : end);
              })
              .join("");
          const edits = [...chosen].map(([index, newText]) => ({
            oldText: lines[index]?.text ?? "",
            newText,
          }));
          if (edits.length === 0) return;
          expect(run(Buffer.from(render(false)), edits).toString("utf8")).toBe(render(true));
        },
      ),
    );
  });

  it("over several lines keep every line end that was there", () => {
    fc.assert(
      fc.property(files, fc.nat(11), fc.nat(11), (lines, one, other) => {
        const from = Math.min(one, other) % lines.length;
        const to = Math.min(lines.length, from + 1 + Math.max(one, other));
        const part = lines.slice(from, to);
        const oldText = part.map(({ text }) => text).join("\n");
        const newText = oldText.replace(">", ">\n{new}");
        const raw = lines.map(({ text, end }) => text + end).join("");
        const result = run(Buffer.from(raw), [{ oldText, newText }]).toString("utf8");
        // The new line was put in with one line end, in front of it or behind it.
        expect([result.replace(/\{new\}\r?\n/, ""), result.replace(/\r?\n\{new\}/, "")]).toContain(raw);
      }),
    );
  });

  it("never run two line ends together", () => {
    fc.assert(
      fc.property(files, fc.nat(11), (lines, at) => {
        const index = at % lines.length;
        const raw = lines.map(({ text, end }) => text + end).join("");
        const edits = [{ oldText: lines[index]?.text ?? "", newText: "1\r\n2\n3" }];
        const result = run(Buffer.from(raw), edits).toString("utf8");
        const end = lines[index]?.end ?? "";
        const expected = lines.map((line, other) =>
          other === index ? `1${end}2${end}3${end}` : line.text + line.end,
        );
        expect(result).toBe(expected.join(""));
      }),
    );
  });
});
