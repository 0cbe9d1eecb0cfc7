import { join } from "node:path";
import { contentText, MessageType } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { ask } from "../support/open-agent.js";
import { openContentLab, skillText } from "./open-content.js";

describe("a prompt", () => {
  it("stands in the conversation in the place of its command; other text stays", async () => {
    const lab = await openContentLab();
    await lab.put("ai-skills/style/SKILL.md", skillText("style", "Short."));
    await lab.put("ai-prompts/commit.md", "---\ndescription: Commit\n---\nWrite a commit.\n{{style}}\n");
    const agent = lab.open();
    agent.send("/commit the fix");
    agent.send([
      { type: "text", text: "//commit" },
      { type: "text", text: "/commit" },
    ]);
    agent.send("/unknown one");
    expect(await agent.run()).toMatchObject({ kind: "success" });
    const users = agent.context.messages().filter(({ type }) => type === MessageType.user);
    const expanded = 'Write a commit.\n<skill name="style">\nShort.\n</skill>';
    // Messages that follow each other become one.
    expect(users.map(contentText)).toEqual([
      [`${expanded}\n\nthe fix`, expanded, "/commit", "/unknown one"].join("\n\n"),
    ]);
  });

  it("that cannot be expanded ends the run by name, and the message waits as it was sent", async () => {
    const lab = await openContentLab();
    await lab.put("ai-skills/round/SKILL.md", skillText("round", "{{round}}"));
    await lab.put("ai-prompts/turn.md", "{{round}}");
    const agent = lab.open();
    const result = await ask(agent, "/turn now");
    expect(result).toMatchObject({ status: "failed", exitCode: 1, requests: 0 });
    expect(result.error).toContain("/turn");
    expect(result.error).toContain("includes itself");
    expect(agent.pending).toBe(1);
    await lab.put("ai-prompts/turn.md", "Turn.");
    expect(await agent.run()).toMatchObject({ kind: "success" });
    expect(lab.asked()[0]).toContain("Turn.\\n\\nnow");
    agent.send("/turn");
    expect(agent.pendingPop().map(contentText)).toEqual(["/turn"]);
  });
});

describe("the system prompt", () => {
  it("includes skills, and names the file whose include fails", async () => {
    const lab = await openContentLab();
    await lab.put("ai-skills/style/SKILL.md", skillText("style", "Short."));
    await lab.put("AGENTS.md", "Mind this:\n{{style}}\n{{unknown}}");
    expect(await lab.env.systemPrompt()).toEqual([
      'Mind this:\n<skill name="style">\nShort.\n</skill>\n{{unknown}}',
    ]);
    await ask(lab.open());
    expect(lab.asked()[0]).toContain("Mind this:");
    await lab.put("AGENTS.md", "{{style[7-9]}}");
    await expect(lab.env.systemPrompt()).rejects.toMatchObject({ kind: "settings" });
    const result = await ask(lab.open());
    expect(result).toMatchObject({ status: "failed", exitCode: 1 });
    expect(result.error).toContain(join(lab.folder, "AGENTS.md"));
    expect(result.error).toContain("style[7-9]");
  });
});
