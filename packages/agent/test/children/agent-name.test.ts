import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentNameProblem, looksAlike } from "../../src/children/agent-name.js";

describe("the name of an agent", () => {
  it.each([
    { name: "agent-1", why: "what agents are called by default" },
    { name: "reviewer", why: "a plain word" },
    { name: "Test Writer 2", why: "spaces and capitals" },
    { name: "docs_de.v2", why: "dots and low lines" },
    { name: "рецензент", why: "another script" },
    { name: "レビュー", why: "a script with marks" },
    { name: "prüfer", why: "an accent" },
    { name: "reuse-results", why: "letters across a separator make no reserved word" },
    { name: "assistant-editor", why: "a role is taken as a whole only" },
    { name: "x".repeat(64), why: "the longest" },
  ])("may be $name: $why", ({ name }) => {
    expect(agentNameProblem(name)).toBeUndefined();
  });

  it.each([
    { name: "", why: "nothing" },
    { name: "x".repeat(65), why: "too long" },
    { name: " a", why: "a blank at the start" },
    { name: "a  b", why: "two blanks" },
    { name: "a-", why: "a separator at the end" },
    { name: "a\nb", why: "a line break" },
    { name: "a/b", why: "a slash" },
    { name: "/a/", why: "a pattern" },
    { name: "*", why: "the sign for all" },
    { name: "a:b", why: "a colon, which ends a heading" },
    { name: "a\u202eb", why: "a turn of the writing direction" },
    { name: "a\u200bb", why: "a character that cannot be seen" },
    { name: "🙂", why: "a picture" },
    { name: "\x1b[2J", why: "a terminal sequence" },
    { name: "\u009b31mtext", why: "a terminal sequence in one character" },
  ])("may not be $why", ({ name }) => {
    expect(agentNameProblem(name)).toMatch(/^a name has/);
  });

  it.each([
    { name: "user", why: "a chat role" },
    { name: "assistant", why: "a chat role" },
    { name: "System", why: "a chat role with a capital" },
    { name: "tool", why: "a chat role" },
    { name: "developer", why: "a chat role" },
    { name: "new", why: "a word of commands" },
    { name: "ALL", why: "a word of commands" },
    { name: "anon", why: "a word of commands" },
    { name: "Ashlar", why: "the product" },
    { name: "ashlar-helper", why: "the product, with more" },
    { name: "superuser", why: "contains user" },
    { name: "site-admin-2", why: "contains admin" },
    { name: "groups", why: "contains group" },
    { name: "chroot", why: "contains root" },
    { name: "subsystem", why: "contains system" },
    { name: "Owner of it", why: "contains owner" },
    { name: "аdmin", why: "a Cyrillic а" },
    { name: "uѕеr", why: "Cyrillic ѕ and е" },
    { name: "UЅΕR", why: "Cyrillic and Greek capitals" },
    { name: "rοοt", why: "Greek ο" },
    { name: "ѕуѕtеm", why: "Cyrillic у" },
    { name: "ｒｏｏｔ", why: "fullwidth" },
    { name: "𝐚𝐝𝐦𝐢𝐧", why: "mathematical letters" },
    { name: "ⓐⓓⓜⓘⓝ", why: "letters in circles" },
    { name: "ádmín", why: "accents" },
    { name: "a\u0301dmin", why: "an accent of its own" },
    { name: "us\u200ber", why: "a zero-width space inside" },
    { name: "ad\u00admin", why: "a soft hyphen inside" },
    { name: "us\u2060er", why: "a word joiner inside" },
    { name: "adrnin", why: "r and n for m" },
    { name: "adm1n", why: "a digit for i" },
    { name: "r00t", why: "zeros" },
    { name: "5y5tem", why: "fives" },
    { name: "admln", why: "l for i" },
    { name: "u-s-e-r", why: "separators between the letters" },
    { name: "a.l.l", why: "separators between the letters" },
    { name: "NΕW", why: "a Greek Ε" },
    { name: "аѕѕіѕtаnt", why: "a role in Cyrillic look-alikes" },
  ])("may not be $name: $why", ({ name }) => {
    expect(agentNameProblem(name)).toMatch(/^it reads like "[a-z]+", which is reserved$/);
  });

  it("looks like another when a reader would take it for that", () => {
    expect(looksAlike("Reviewer", "reviewer")).toBe(true);
    expect(looksAlike("rеvіеwеr", "reviewer")).toBe(true);
    expect(looksAlike("worker-l", "worker-1")).toBe(true);
    expect(looksAlike("worker-2", "worker-1")).toBe(false);
  });

  it("never hides, breaks a line or starts a sequence, whatever was asked for", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 70 }), (name) => {
        if (agentNameProblem(name) !== undefined) return;
        expect(name).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}:/*<>[\]]/u);
        expect([...name].length).toBeLessThanOrEqual(64);
      }),
      { numRuns: 500 },
    );
  });
});
