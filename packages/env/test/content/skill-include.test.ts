import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  expandedSkill,
  expandText,
  MAX_EXPANDED,
  type SkillDefinition,
  type SkillDefinitions,
} from "../../src/content/skill-include.js";
import { isEnvError } from "../../src/env-error.js";

/** Each name with its bodies, weakest layer first. */
function shelf(bodies: Readonly<Record<string, string | readonly string[]>>): SkillDefinitions {
  return new Map(
    Object.entries(bodies).map(([name, layers]): [string, SkillDefinition[]] => [
      name,
      [layers].flat().map((body, layer) => ({ name, body, file: `/${layer}/${name}/SKILL.md` })),
    ]),
  );
}

function failureOf(work: () => unknown): { readonly kind: string; readonly message: string } {
  try {
    work();
  } catch (error) {
    if (isEnvError(error)) return { kind: error.kind, message: error.message };
    throw error;
  }
  throw new Error("it did not fail");
}

describe("an include", () => {
  it("is replaced by the expanded body of the skill of that name", () => {
    expect(expandedSkill("a", shelf({ a: "one\n{{b}}\nfour", b: "two\n{{c}}", c: "three" }))).toBe(
      "one\ntwo\nthree\nfour",
    );
  });

  it("with a range gives those lines of the expanded body, from 1, both ends included", () => {
    const skills = shelf({ a: "{{b[2-3]}}|{{b[1-1]}}|{{b[4-4]}}", b: "1\n{{c}}\n4", c: "2\n3" });
    expect(expandedSkill("a", skills)).toBe("2\n3|1|4");
  });

  it.each(["{{nobody}}", "{{nobody[1-2]}}", "{{ b }}", "{{}}", "{b}", "{{b", "{{b[1\n-2]}}", "{{b.}}"])(
    "of a name that nobody has, or of another form, stays as it is: %s",
    (text) => {
      expect(expandedSkill("a", shelf({ a: text, b: "B" }))).toBe(text);
    },
  );

  it("may stand several times, and inserts what looks like a pattern of replacement as it is", () => {
    expect(expandedSkill("a", shelf({ a: "{{b}}{{b}}", b: "$& $1 $$" }))).toBe("$& $1 $$$& $1 $$");
  });

  it("of the skill itself gives the one that it replaced, down to the weakest layer", () => {
    const skills = shelf({ a: ["base", "{{a}} middle", "{{a}} top"], b: "{{a}}!" });
    expect(expandedSkill("a", skills)).toBe("base middle top");
    expect(expandedSkill("b", skills)).toBe("base middle top!");
  });

  it("of an unknown skill gives nothing", () => {
    expect(expandedSkill("x", shelf({}))).toBeUndefined();
  });

  it("in another text is wrapped", () => {
    expect(expandText("{{a}} {{x}}", shelf({ a: "A" }), (name, body) => `<${name}>${body}</${name}>`)).toBe(
      "<a>A</a> {{x}}",
    );
  });
});

describe("an include that cannot be", () => {
  it.each([
    { why: "two of each other", skills: { a: "{{b}}", b: "{{a}}" }, says: "a → b → a" },
    { why: "three", skills: { a: "{{b}}", b: "{{c}}", c: "{{b}}" }, says: "b → c → b" },
    {
      why: "through the one that was replaced",
      skills: { a: ["{{b}}", "{{a}}"], b: "{{a}}" },
      says: "a → a → b → a",
    },
    { why: "itself alone", skills: { a: "{{a}}" }, says: "a includes itself" },
  ])("is named with the whole circle: $why", ({ skills, says }) => {
    const { kind, message } = failureOf(() => expandedSkill("a", shelf(skills)));
    expect(kind).toBe("content");
    expect(message).toContain(says);
  });

  it.each([
    "2-1",
    "0-1",
    "1-4",
    "4-4",
    "",
    "1",
    "a-b",
    "1-",
    "-1",
    "1-2-3",
    "1.0-2",
    "99999999999-99999999999",
  ])("is named with the lines there are: b[%s]", (range) => {
    const skills = shelf({ a: `{{b[${range}]}}`, b: "1\n2\n3" });
    const { kind, message } = failureOf(() => expandedSkill("a", skills));
    expect(kind).toBe("content");
    expect(message).toContain(`{{b[${range}]}}`);
    expect(message).toContain("3 lines");
    expect(message).toContain("/0/a/SKILL.md");
  });

  it("is refused once the whole grows too large, before it is built", () => {
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `s${at}`,
        at === 0 ? "x".repeat(100) : `{{s${at - 1}}}{{s${at - 1}}}`,
      ]),
    );
    const { message } = failureOf(() => expandedSkill("s39", shelf(doubling)));
    expect(message).toContain(String(MAX_EXPANDED));
  });

  it("is refused when it nests without end", () => {
    const chain = Object.fromEntries(
      Array.from({ length: 200 }, (_, at) => [`s${at}`, at === 0 ? "end" : `{{s${at - 1}}}`]),
    );
    expect(failureOf(() => expandedSkill("s199", shelf(chain))).message).toContain("nest deeper");
  });
});

describe("any skills", () => {
  const name = fc.constantFrom("a", "b", "c", "d");
  const piece = fc.oneof(
    fc.string({ maxLength: 8 }),
    name.map((one) => `{{${one}}}`),
    fc.tuple(name, fc.nat(4), fc.nat(4)).map(([one, from, to]) => `{{${one}[${from}-${to}]}}`),
    fc.constant("\n"),
  );
  const body = fc.array(piece, { maxLength: 6 }).map((parts) => parts.join(""));
  const skills = fc.dictionary(name, fc.array(body, { minLength: 1, maxLength: 3 }), { maxKeys: 4 });

  it("expand to a text within the bound, or say why not; the same each time", () => {
    fc.assert(
      fc.property(skills, name, (bodies, wanted) => {
        const expand = (): unknown => {
          try {
            return expandedSkill(wanted, shelf(bodies));
          } catch (error) {
            if (!isEnvError(error)) throw error;
            expect(error.kind).toBe("content");
            return error.message;
          }
        };
        const first = expand();
        expect(String(first).length).toBeLessThanOrEqual(MAX_EXPANDED);
        expect(expand()).toBe(first);
      }),
    );
  });

  it("without an include of a known skill stay as they are", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        fc.pre(!text.includes("{{a"));
        expect(expandedSkill("a", shelf({ a: text }))).toBe(text);
      }),
    );
  });
});
