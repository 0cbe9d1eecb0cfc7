import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTask } from "../../src/task/parse-task.js";
import type { Task } from "../../src/task/task.js";

function taskOf(text: string, filename = "hello.md"): Task {
  const parsed = parseTask(filename, text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.task;
}

function problemOf(text: string, filename = "hello.md"): string {
  const parsed = parseTask(filename, text);
  if (parsed.ok) throw new Error(`it is a task: ${JSON.stringify(parsed.task)}`);
  return parsed.problem;
}

const header = (lines: string): string => `---\n${lines}\n---\nDo it.\n`;

describe("a task file", () => {
  it("is its prompt where it has no frontmatter", () => {
    expect(taskOf("Say hello.\n\n- kindly\n")).toEqual({
      id: "hello.md",
      filename: "hello.md",
      prompt: "Say hello.\n\n- kindly",
      enabled: true,
      schedule: { kind: "once" },
    });
  });

  it("says everything in its frontmatter", () => {
    const text = header(
      [
        "id: weekly report",
        "enabled: false",
        "schedule: { at: ['19:30', '07:00'], days: weekdays, timezone: Europe/Berlin }",
        "tools: [read, bash]",
        "timeout: 2h",
        "model: ollama/qwen3",
        "budget: { requests: 20, tokens: 1000, duration: 30m, cost: 0.5, depth: 0, width: 0, repeats: 4 }",
        "network: none",
      ].join("\n"),
    );
    expect(taskOf(text)).toEqual({
      id: "weekly report",
      filename: "hello.md",
      prompt: "Do it.",
      enabled: false,
      schedule: { kind: "at", minutes: [420, 1170], days: [1, 2, 3, 4, 5], timezone: "Europe/Berlin" },
      tools: ["read", "bash"],
      timeoutMs: 7_200_000,
      model: "ollama/qwen3",
      budget: { requests: 20, tokens: 1_000, duration: 1_800_000, cost: 0.5, depth: 0, width: 0, repeats: 4 },
      network: "none",
    });
  });

  it.each([
    { why: "CRLF", text: "---\r\nschedule: every 30m\r\n---\r\nDo it.\r\n" },
    { why: "a byte order mark", text: "\uFEFF---\nschedule: every 30m\n---\nDo it.\n" },
    { why: "no line end at the end", text: "---\nschedule: every 30m\n---\nDo it." },
    { why: "blanks behind the fences", text: "---  \nschedule: every 30m\n--- \nDo it.\n" },
    { why: "a tab between key and value", text: "---\nschedule:\tevery 30m\n---\nDo it.\n" },
    { why: "a map in place of the text", text: "---\nschedule:\n  every: 30m\n---\nDo it.\n" },
    { why: "a comment", text: "---\n# often\nschedule: every 30m\n---\nDo it.\n" },
  ])("is read with $why", ({ text }) => {
    const { prompt, schedule } = taskOf(text);
    expect({ prompt, schedule }).toEqual({
      prompt: "Do it.",
      schedule: { kind: "every", every: "30m", milliseconds: 1_800_000 },
    });
  });

  it("keeps a line of dashes and keys in its prompt", () => {
    expect(taskOf(`${header("id: a")}---\nid: b\n`).prompt).toBe("Do it.\n---\nid: b");
  });

  it("takes an unquoted colon as text, and says so", () => {
    const parsed = parseTask("a.md", header("model: ollama/qwen3: 4b"));
    expect(parsed).toMatchObject({ ok: true, task: { model: "ollama/qwen3: 4b" } });
    expect(parsed.ok && parsed.notes).toEqual([expect.stringContaining("quotes")]);
  });

  it("counts weeks too in its timeout", () => {
    expect(taskOf(header("timeout: 2w")).timeoutMs).toBe(14 * 86_400_000);
  });

  it.each([
    { why: "an empty file", text: "", says: "nothing to do" },
    { why: "frontmatter alone", text: "---\nid: a\n---\n\n", says: "nothing to do" },
    { why: "frontmatter without an end", text: "---\nid: a\nDo it.\n", says: "---" },
    { why: "a NUL", text: "Do\u0000it", says: "NUL" },
    { why: "an unknown key", text: header("shedule: once"), says: 'did you mean "schedule"?' },
    { why: "a key twice", text: header("model: a/b\nmodel: c/d"), says: "twice" },
    { why: "no list of keys", text: header("just words"), says: 'no "key: value"' },
    { why: "a list", text: header("- a\n- b"), says: 'no "key: value"' },
    { why: "a number as id", text: header("id: 7"), says: "id: 7" },
    { why: "an id that is a path", text: header("id: ../x"), says: "letters, digits" },
    { why: "enabled as a word", text: header("enabled: sometimes"), says: "not true or false" },
    { why: "tools as one word", text: header("tools: read"), says: "[read, bash]" },
    { why: "tools that are no names", text: header("tools: [1]"), says: "list of names" },
    { why: "a timeout without a unit", text: header("timeout: 30"), says: "no unit" },
    { why: "a timeout of nothing", text: header("timeout: 0m"), says: "no duration" },
    { why: "an empty model", text: header("model: ''"), says: "endpoint/model" },
    { why: "a budget that is no map", text: header("budget: 20"), says: "{ requests: 20 }" },
    {
      why: "a limit that does not exist",
      text: header("budget: { request: 2 }"),
      says: 'did you mean "requests"?',
    },
    { why: "a limit switched off", text: header("budget: { cost: false }"), says: "not switch it off" },
    { why: "a limit of nothing", text: header("budget: { requests: 0 }"), says: "whole number from 1" },
    { why: "a wider network", text: header("network: full"), says: "only write none" },
    { why: "a credential", text: header("apiKey: abc"), says: "looks like a credential" },
    {
      why: "a credential that comes with dashes",
      text: header("auth-token: abc"),
      says: "looks like a credential",
    },
    { why: "a credential further down", text: header("budget: { password: x }"), says: "budget.password" },
    { why: "a tag", text: header("model: !env MODEL"), says: "tag" },
    { why: "a tag of YAML's own", text: header("id: !!binary aGVsbG8="), says: "tag" },
    { why: "an anchor that means itself", text: header("tools: &a [*a]"), says: "" },
    { why: "an alias", text: header("id: &x a\nmodel: *x"), says: "" },
  ])("is refused with $why", ({ text, says }) => {
    expect(problemOf(text)).toContain(says);
  });

  it("never shows the value beside a key that looks like a credential", () => {
    expect(problemOf(header("api_key: sk-123456"))).not.toContain("sk-123456");
  });

  it.each([
    { name: "hello.txt", says: "ends in .md" },
    { name: "-x.md", says: "begins with a letter or digit" },
    { name: "a/b.md", says: "letters, digits" },
    { name: "über.md", says: "letters, digits" },
    { name: `${"x".repeat(118)}.md`, says: "at most 120" },
  ])("is refused under the name $name", ({ name, says }) => {
    expect(problemOf("Do it.", name)).toContain(says);
  });

  it("reads or refuses whatever stands in it, and keeps no line end of another system", () => {
    const lines = fc.constantFrom(
      "---",
      "id: a",
      "schedule:",
      "  every: 30m",
      "tools: [",
      "x: *y",
      "\t- b",
      "Do: it",
      "",
    );
    const texts = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.tuple(fc.array(lines), fc.constantFrom("\n", "\r\n")).map(([all, end]) => all.join(end)),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseTask("a.md", text);
        if (parsed.ok) expect(parsed.task.prompt).not.toBe("");
        else expect(parsed.problem).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });
});
