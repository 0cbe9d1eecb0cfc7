import { describe, expect, it } from "vitest";
import { protectionOf } from "../../src/guard/protected-path.js";

describe("places that mean something to the host", () => {
  it.each([
    "ai-auth-lab.json",
    "sub/AI-AUTH-x.json",
    "ai-settings.json",
    "AI-Settings.json",
    "ai-jobs/tasks/a.md",
    "ai-jobs-disabled/x",
    ".git/hooks/pre-commit",
    ".git/config",
    "sub/.git/hooks/x",
  ])("are never written: %s", (path) => {
    expect(protectionOf(path).kind).toBe("refused");
  });

  it.each(["AGENTS.md", "sub/agents.md", "ai-skills/a/SKILL.md", "ai-prompts/x.md", ".agents/skills/x"])(
    "need consent: %s",
    (path) => {
      expect(protectionOf(path).kind).toBe("ask");
    },
  );

  it.each([
    "src/a.ts",
    "sub/ai-settings.json",
    "ai-job/x",
    ".gitignore",
    ".github/config",
    ".git/info/exclude",
    "AGENTS.md.bak",
    "ai-author.md",
  ])("are open: %s", (path) => {
    expect(protectionOf(path).kind).toBe("open");
  });
});
