import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  decodeRules,
  evaluateRules,
  type PermissionRule,
  type RuleLayer,
} from "../../src/loop/permission-rules.js";
import { matchesWildcard } from "../../src/loop/wildcard.js";

const layer = (name: string, rules: readonly PermissionRule[], restrictsOnly = false): RuleLayer => ({
  name,
  restrictsOnly,
  rules,
});
const allow = (tool: string, patterns?: Record<string, string>): PermissionRule => ({
  tool,
  action: "allow",
  arguments: patterns,
});
const deny = (tool: string, patterns?: Record<string, string>): PermissionRule => ({
  ...allow(tool, patterns),
  action: "deny",
});
const asking = (tool: string): PermissionRule => ({ tool, action: "ask" });

describe("permission rules", () => {
  it.each([
    { why: "nothing is said", layers: [], args: {}, action: "allow" },
    { why: "no rule fits", layers: [layer("u", [deny("edit")])], args: {}, action: "allow" },
    { why: "a rule fits", layers: [layer("u", [deny("bash")])], args: {}, action: "deny" },
    {
      why: "an earlier rule of the same layer fits too",
      layers: [layer("u", [allow("bash", { command: "git *" }), deny("bash")])],
      args: { command: "git status" },
      action: "allow",
    },
    {
      why: "only the later one fits",
      layers: [layer("u", [allow("bash", { command: "git *" }), deny("bash")])],
      args: { command: "rm x" },
      action: "deny",
    },
    {
      why: "another layer allows what one denies",
      layers: [layer("u", [deny("*")]), layer("c", [allow("*")])],
      args: {},
      action: "deny",
    },
    {
      why: "one asks",
      layers: [layer("u", [allow("*")]), layer("c", [asking("b*")])],
      args: {},
      action: "ask",
    },
    {
      why: "a project allows before it denies",
      layers: [layer("p", [allow("bash"), deny("bash")], true)],
      args: {},
      action: "deny",
    },
    {
      why: "the argument is missing",
      layers: [layer("u", [deny("bash", { command: "*" })])],
      args: {},
      action: "allow",
    },
    {
      why: "the argument is no text",
      layers: [layer("u", [deny("bash", { list: "[1,*" })])],
      args: { list: [1, 2] },
      action: "deny",
    },
    {
      why: "the arguments are no object",
      layers: [layer("u", [deny("bash", { toString: "*" })])],
      args: "text",
      action: "allow",
    },
  ])("say $action when $why", ({ layers, args, action }) => {
    expect(evaluateRules(layers, "bash", args).action).toBe(action);
  });

  it("deny everything while a list cannot be read, and name the place", () => {
    const broken = { ...layer("the user's settings", []), problem: "permissions[0].action must be …" };
    const verdict = evaluateRules([layer("c", [allow("*")]), broken], "read", {});
    expect(verdict.action).toBe("deny");
    expect(verdict.rule).toContain("the user's settings");
    expect(verdict.rule).toContain("permissions[0].action");
  });

  it.each([
    { value: {}, says: "must be a list" },
    { value: ["deny"], says: "permissions[0] must be an object" },
    {
      value: [
        { tool: "a", action: "deny" },
        { tool: "", action: "deny" },
      ],
      says: "permissions[1].tool",
    },
    { value: [{ tool: "a", action: "forbid" }], says: "permissions[0].action must be allow, ask or deny" },
    { value: [{ tool: "a", action: "deny", args: {} }], says: 'a rule has no "args"' },
    { value: [{ tool: "a", action: "deny", arguments: { path: 1 } }], says: "permissions[0].arguments" },
  ])("are refused as a list: $says", ({ value, says }) => {
    expect(decodeRules(value)).toContain(says);
  });
});

describe("a pattern", () => {
  const part = fc.stringMatching(/^[ab]{0,3}$/);
  it("fits what the same regular expression fits", () => {
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 5 }),
        fc.stringMatching(/^[ab]{0,12}$/),
        (parts, text) => {
          const pattern = parts.join("*");
          expect(matchesWildcard(text, pattern)).toBe(
            new RegExp(`^${pattern.replaceAll("*", ".*")}$`, "s").test(text),
          );
        },
      ),
    );
  });

  it("takes everything but * as it is", () => {
    expect(matchesWildcard("a.b", "a.b")).toBe(true);
    expect(matchesWildcard("axb", "a.b")).toBe(false);
    expect(matchesWildcard("line\nline", "line*")).toBe(true);
  });
});
