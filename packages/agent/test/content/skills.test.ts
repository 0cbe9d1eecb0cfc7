import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contentText, MessageType } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { ask } from "../support/open-agent.js";
import { noSandboxHere } from "../support/sandboxed-agent.js";
import { openContentLab, skillText, times } from "./open-content.js";

const noSandbox = await noSandboxHere();

const BODY = "Never write more than three lines.";

describe("a skill with resources and an include", () => {
  it("is told of, reaches the model once when it asks, and a bad one beside it is said once", async () => {
    const lab = await openContentLab(({ results }) => {
      if (results.length === 0)
        return { parts: [{ call: { name: "skill", arguments: { names: ["notes"] } } }] };
      if (results.length === 1)
        return { parts: [{ call: { name: "skill", arguments: { names: ["notes"] } } }] };
      if (results.length === 2)
        return {
          parts: [{ call: { name: "resource", arguments: { name: "notes", path: "references/words.md" } } }],
        };
      return undefined;
    });
    await lab.put(
      "ai-skills/style/SKILL.md",
      `---\nname: style\ndescription: Short texts\n---\n${BODY}\nEnd.\n`,
    );
    await lab.put(
      "ai-skills/notes/SKILL.md",
      "---\nname: notes\ndescription: Release notes\n---\nFirst: {{style[1-1]}}\n",
    );
    await lab.put("ai-skills/notes/references/words.md", "Say added, not implemented.\n");
    await lab.put("ai-skills/bad/SKILL.md", "no header at all\n");
    const agent = lab.open();
    expect(await ask(agent)).toMatchObject({ kind: "success", requests: 4 });

    const asked = lab.asked();
    expect(asked[0]).toContain("- notes: Release notes");
    expect(asked[0]).toContain("- style: Short texts");
    expect(asked[0]).not.toContain(BODY);
    for (const request of asked.slice(1)) expect(times(request, BODY)).toBe(1);
    const results = agent.context.messages().filter(({ type }) => type === MessageType.toolResult);
    expect(results.map(({ content }) => contentText({ content } as never))).toEqual([
      `<skill name="notes">\nFirst: ${BODY}\n</skill>\n[Files of notes, for the tool resource: references/words.md]`,
      "[The skill notes is in this conversation already.]",
      "Say added, not implemented.\n",
    ]);

    const said = lab.env.diagnostics.filter(({ message }) => message.includes("ai-skills/bad"));
    expect(said).toMatchObject([{ kind: "content", file: join(lab.folder, "ai-skills/bad/SKILL.md") }]);
  });

  it("is given once when two calls of one answer ask for it", async () => {
    const call = { call: { name: "skill", arguments: { names: ["notes"] } } };
    const lab = await openContentLab(({ results }) =>
      results.length === 0 ? { parts: [call, call] } : undefined,
    );
    await lab.put("ai-skills/notes/SKILL.md", skillText("notes", BODY));
    expect(await ask(lab.open())).toMatchObject({ kind: "success" });
    expect(times(lab.asked()[1] ?? "", BODY)).toBe(1);
  });

  it("is given again once it is no longer in the conversation, or has changed", async () => {
    const lab = await openContentLab(({ results }) =>
      results.length === 0
        ? { parts: [{ call: { name: "skill", arguments: { names: ["notes"] } } }] }
        : undefined,
    );
    await lab.put("ai-skills/notes/SKILL.md", skillText("notes", BODY));
    const agent = lab.open();
    await ask(agent);
    await ask(agent);
    expect(times(lab.asked().at(-1) ?? "", BODY)).toBe(1);
    await lab.put("ai-skills/notes/SKILL.md", skillText("notes", `${BODY} Really.`));
    await ask(agent);
    expect(lab.asked().at(-1)).toContain("has changed since it was loaded");
    expect(times(lab.asked().at(-1) ?? "", `${BODY} Really.`)).toBe(1);
    const first = agent.context.messages()[0];
    agent.context.rollback(1);
    expect(agent.context.messages()).toEqual([first]);
    await ask(agent);
    expect(times(lab.asked().at(-1) ?? "", BODY)).toBe(1);
    expect(lab.asked().at(-1)).not.toContain("already");
  });

  it("that cannot be expanded is an answer to the call, and gives none of the others", async () => {
    const lab = await openContentLab(({ results }) =>
      results.length === 0
        ? { parts: [{ call: { name: "skill", arguments: { names: ["notes", "round"] } } }] }
        : undefined,
    );
    await lab.put("ai-skills/notes/SKILL.md", skillText("notes", BODY));
    await lab.put("ai-skills/round/SKILL.md", skillText("round", "{{round}}"));
    expect(await ask(lab.open())).toMatchObject({ kind: "success" });
    expect(lab.asked()[1]).toContain("round includes itself");
    expect(lab.asked()[1]).not.toContain(BODY);
  });

  it.skipIf(noSandbox !== undefined)(
    "gives a file of the user's folder to the working folder, which the sandbox hides",
    async () => {
      const lab = await openContentLab();
      const folder = join(lab.home, "config/skills/notes");
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, "SKILL.md"), skillText("notes", BODY));
      const bytes = Buffer.from(Array.from({ length: 3_000_000 }, (_, at) => at % 251));
      await writeFile(join(folder, "picture.bin"), bytes);
      const agent = lab.open();
      const save = { name: "notes", path: "picture.bin", target: "img/picture.bin" };
      const saved = await agent.toolCall("resource", save);
      expect(contentText(saved as never)).toBe(
        "Saved picture.bin of notes as img/picture.bin: 3000000 bytes.",
      );
      expect(bytes.equals(await readFile(join(lab.folder, "img/picture.bin")))).toBe(true);
      expect(saved.changes).toHaveLength(1);
      expect(contentText((await agent.toolCall("resource", save)) as never)).toContain("exists already");
      const missing = await agent.toolCall("resource", { ...save, path: "none", target: "x" });
      expect(contentText(missing as never)).toContain('has no file "none"');
      agent.can.write = false;
      expect(contentText((await agent.toolCall("resource", { ...save, target: "y" })) as never)).toContain(
        "only read",
      );
      await agent.undo();
    },
  );
});

describe("tool-refresh", () => {
  it("says how many tools there are and what is wrong with those left out", async () => {
    const lab = await openContentLab();
    const agent = lab.open();
    expect(contentText((await agent.toolCall("tool-refresh", {})) as never)).toMatch(/^Loaded \d+ tools/);
    const hooks = join(lab.home, "config/hooks");
    await mkdir(hooks, { recursive: true });
    await writeFile(join(hooks, "bad.js"), "throw new Error('not today')");
    const result = await agent.toolCall("tool-refresh", {});
    expect(contentText(result as never)).toMatch(/Problem: .*not today/);
  });
});
