import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shownName } from "../../src/guard/shown-name.js";

describe("shownName", () => {
  it.each([
    { name: "src/a b.ts", shown: "src/a b.ts" },
    { name: "日本語/é.md", shown: "日本語/é.md" },
    { name: "a\nb", shown: '"a\\nb"' },
    { name: 'say "hi"', shown: '"say \\"hi\\""' },
    { name: " x", shown: '" x"' },
    { name: "a\u2028b", shown: '"a\\u2028b"' },
    { name: "x\u202etxt.exe", shown: '"x\\u202etxt.exe"' },
    { name: "\u001b[2J", shown: '"\\u001b[2J"' },
    { name: "", shown: '""' },
  ])("shows $shown", ({ name, shown }) => {
    expect(shownName(name)).toBe(shown);
  });

  it("stays on one line, holds no control character and can be read back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const shown = shownName(name);
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(shown.startsWith('"') ? JSON.parse(shown) : shown).toBe(name);
      }),
    );
  });
});
