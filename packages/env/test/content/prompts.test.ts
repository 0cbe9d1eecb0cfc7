import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { promptCommand, promptText } from "../../src/content/prompt-command.js";
import { openProject } from "../open-project.js";
import { put, tempFolder } from "../temp-folder.js";

describe("a command", () => {
  it.each([
    ["/commit", { name: "commit", rest: "" }],
    ["//commit", { name: "commit", rest: "" }],
    ["/commit fix the login\nand more\n", { name: "commit", rest: "fix the login\nand more" }],
    ["/commit\n\nline", { name: "commit", rest: "line" }],
    ["/a.b_c-1 x", { name: "a.b_c-1", rest: "x" }],
  ])("is the name and the rest: %j", (text, command) => {
    expect(promptCommand(text)).toEqual(command);
  });

  it.each([
    "",
    "/",
    "//",
    "commit",
    " /commit",
    "/usr/bin/env is what?",
    "/ commit",
    "///commit",
    "/commit: x",
    "say /commit",
  ])("is not %j", (text) => {
    expect(promptCommand(text)).toBeUndefined();
  });

  it("gives way to the prompt; its rest follows, or stands where the prompt wants it", () => {
    expect(promptText("Do it.", "")).toBe("Do it.");
    expect(promptText("Do it.", "now")).toBe("Do it.\n\nnow");
    expect(promptText("Do $ARGUMENTS, I say $ARGUMENTS.", "$& now")).toBe("Do $& now, I say $& now.");
    expect(promptText("Do $ARGUMENTS!", "")).toBe("Do !");
  });
});

describe("prompts", () => {
  it("are files of all layers, the strongest of a name first; a header is optional", async () => {
    const { env, home, folder } = await openProject();
    await put(join(home, "config/prompts/commit.md"), "Commit for the user.");
    await put(
      join(home, "config/prompts/plain.md"),
      "# A title that is long enough to be cut somewhere in the middle of it all\n\nText.",
    );
    await put(
      join(folder, "ai-prompts/commit.md"),
      "---\r\ndescription: Write a commit: short\r\nargument-hint: [what]\r\n---\r\n\r\nCommit.\r\n",
    );
    await put(join(folder, "ai-prompts/notes.txt"), "no prompt");
    const { prompts, diagnostics } = await env.prompts();
    expect(prompts).toEqual([
      {
        name: "commit",
        description: "Write a commit: short",
        argumentHint: "[what]",
        file: join(folder, "ai-prompts/commit.md"),
        source: "project",
      },
      {
        name: "plain",
        description: "A title that is long enough to be cut somewhere in the midd…",
        argumentHint: "",
        file: join(home, "config/prompts/plain.md"),
        source: "user",
      },
    ]);
    expect(diagnostics.map(({ file }) => file)).toEqual([join(folder, "ai-prompts/commit.md")]);
    expect(await env.promptExpand("/commit the fix")).toBe("Commit.\n\nthe fix");
    expect(await env.promptExpand("//commit")).toBe("Commit.");
    expect(await env.promptExpand("/nothing here")).toBe("/nothing here");
    expect(await env.promptExpand("hello /commit")).toBe("hello /commit");
  });

  it("include skills, and say which prompt it is when they cannot", async () => {
    const { env, folder } = await openProject();
    const skill = (name: string, body: string): Promise<string> =>
      put(join(folder, "ai-skills", name, "SKILL.md"), `---\nname: ${name}\ndescription: d\n---\n${body}\n`);
    await skill("style", "Short.\nPlain.");
    await skill("round", "{{circle}}");
    await skill("circle", "{{round}}");
    await put(join(folder, "ai-prompts/write.md"), "{{style}} {{style[2-2]}} {{other}}");
    await put(join(folder, "ai-prompts/turn.md"), "{{round}}");
    expect(await env.promptExpand("/write about {{style}}")).toBe(
      '<skill name="style">\nShort.\nPlain.\n</skill> <skill name="style">\nPlain.\n</skill> {{other}}\n\nabout {{style}}',
    );
    const failure = await env.promptExpand("/turn").catch((error: unknown) => error);
    expect(failure).toMatchObject({ kind: "content", details: { name: "turn" } });
    expect(String(failure)).toContain("/turn");
    expect(String(failure)).toContain("round → circle → round");
  });

  it("that cannot be used fail by name and hide no other", async () => {
    const { env, folder, home } = await openProject();
    const outside = await tempFolder();
    await put(join(outside, "secret.md"), "secret");
    await put(join(folder, "ai-prompts/good.md"), "Good.");
    await put(join(folder, "ai-prompts/empty.md"), "---\ndescription: d\n---\n");
    await put(join(folder, "ai-prompts/bad name.md"), "Text.");
    await mkdir(join(folder, "ai-prompts/folder.md"));
    await symlink(join(outside, "secret.md"), join(folder, "ai-prompts/link.md"));
    await put(join(home, "config/prompts/over.md"), "From the user.");
    await put(join(folder, "ai-prompts/over.md"), "");
    const { prompts, diagnostics } = await env.prompts();
    expect(prompts.map(({ name }) => name)).toEqual(["good", "over"]);
    expect(diagnostics.map(({ file = "" }) => file.slice(folder.length + 1))).toEqual(
      ["bad name", "empty", "folder", "link", "over"].map((name) => `ai-prompts/${name}.md`),
    );
    expect(await env.promptExpand("/good")).toBe("Good.");
    expect(await env.promptExpand("/over")).toBe("From the user.");
    for (const name of ["empty", "folder", "link"])
      await expect(env.promptExpand(`/${name} x`), name).rejects.toMatchObject({
        kind: "content",
        details: { name },
      });
  });

  it("may lie in folders that settings name", async () => {
    const named = await tempFolder();
    const { env } = await openProject({ user: JSON.stringify({ prompts: { folders: [named] } }) });
    await put(join(named, "x.md"), "X");
    expect(await env.promptExpand("/x")).toBe("X");
  });
});

describe("the folders whose code runs in this process", () => {
  it("are the host's tools and the hooks of trusted roots, those that exist, each once", async () => {
    const [host, tools] = [await tempFolder(), await tempFolder()];
    await mkdir(join(host, "hooks"));
    await symlink(tools, join(host, "tools"));
    const { env, home, folder } = await openProject({
      options: { content: [host], tools: [tools, join(host, "tools"), {}] },
    });
    await mkdir(join(home, "config/hooks"), { recursive: true });
    await mkdir(join(folder, "hooks"));
    expect(await env.codeFolders()).toEqual([tools, join(host, "hooks"), join(home, "config/hooks")]);
  });
});

describe("hook files", () => {
  it("are the modules of the host, the packages and the user, never of the project", async () => {
    const [host, pack] = [await tempFolder(), await tempFolder()];
    await put(join(pack, "package.json"), '{"name": "ashlar-content-hooks", "version": "1.0.0"}');
    await put(join(pack, "hooks/a.js"), "");
    await put(join(host, "hooks/z.mjs"), "");
    await put(join(host, "hooks/b.js"), "");
    await put(join(host, "hooks/.c.js"), "");
    await put(join(host, "hooks/readme.md"), "");
    await put(join(host, "hooks/lib/inner.js"), "");
    const { env, home, folder } = await openProject({
      user: JSON.stringify({ packages: [pack] }),
      options: { content: [host] },
    });
    await put(join(home, "config/hooks/u.js"), "");
    await put(join(folder, "hooks/p.js"), "");
    await put(join(folder, "ai-hooks/p.js"), "");
    expect(await env.hookFiles()).toEqual([
      join(host, "hooks/b.js"),
      join(host, "hooks/z.mjs"),
      join(pack, "hooks/a.js"),
      join(home, "config/hooks/u.js"),
    ]);
    expect(env.packages().map(({ kinds }) => kinds)).toEqual([["content"]]);
  });

  it("of a folder that cannot be read are a diagnostic", async () => {
    const { env, home } = await openProject();
    await put(join(home, "config/hooks"), "a file");
    expect(await env.hookFiles()).toEqual([]);
    expect(env.diagnostics).toMatchObject([{ kind: "content", file: join(home, "config/hooks") }]);
  });
});
