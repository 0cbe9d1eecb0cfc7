import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pieces } from "../src/pieces.js";

describe("the pieces of a text", () => {
  it("are several, and join to the text, for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const parts = [...pieces(text)];
        expect(parts.join("")).toBe(text);
        if ([...text].length > 12) expect(parts.length).toBeGreaterThan(1);
        for (const part of parts) expect(part).not.toBe("");
      }),
    );
  });

  it("end after blanks where there are some", () => {
    expect([...pieces("What is this project called?")]).toEqual(["What is ", "this project", " called?"]);
  });

  it("never cut a character", () => {
    for (const part of pieces("🙂".repeat(30))) expect(/\p{Surrogate}/u.test(part)).toBe(false);
  });
});
