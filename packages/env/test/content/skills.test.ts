import { execFileSync } from "node:child_process";
import { chmod, mkdir, rm, symlink, truncate } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openProject, type Project } from "../open-project.js";
import { put, tempFolder } from "../temp-folder.js";

const skillText = (name: string, body = "Body", description = `Does ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;

const names = async ({ env }: Project): Promise<readonly string[]> =>
  (await env.skills()).skills.map(({ name }) => name);

/** The messages about each file, by its path below the project. */
async function said({ env, folder }: Project): Promise<Readonly<Record<string, string>>> {
  const { diagnostics } = await env.skills();
  const pairs = diagnostics.map(({ file = "", message }) => [file.replace(`${folder}/`, ""), message]);
  // Two of one file would be one too many.
  expect(new Set(pairs.map(([file]) => file)).size).toBe(pairs.length);
  return Object.fromEntries(pairs);
}

describe("skills as people write them", () => {
  const files: Readonly<Record<string, string>> = {
    s1: "---\nname: s1\ndescription: Use for reports: weekly and monthly\n---\nBody\n",
    s2: "---\r\nname: s2\r\ndescription: Two\r\n---\r\nBody\r\nmore\r\n",
    s3: "\uFEFF---\nname: s3\ndescription: Three\n---\nBody\n",
    s4: "---\nname: s4\ndescription: Four\n---",
    s5: "---\nname: s5\ndescription: >-\n  two\n  lines\n---\nBody\n",
    s6: "Body without a header\n",
    s7: "---\nname: s7\ndescription: Seven\nBody\n",
    s8: "---\nname: s8\ndescription: Eight\n---\nBody\n---\nname: other\n",
  };

  it("load, or say why not, and no bad file hides a good one", async () => {
    const project = await openProject();
    for (const [name, text] of Object.entries(files))
      await put(join(project.folder, "ai-skills", name, "SKILL.md"), text);
    const { skills } = await project.env.skills();
    expect(Object.fromEntries(skills.map(({ name, description }) => [name, description]))).toEqual({
      s1: "Use for reports: weekly and monthly",
      s2: "Two",
      s3: "Three",
      s4: "Four",
      s5: "two lines",
      s8: "Eight",
    });
    expect((await project.env.skill("s2")).body).toBe("Body\nmore");
    expect((await project.env.skill("s4")).body).toBe("");
    expect((await project.env.skill("s8")).body).toBe("Body\n---\nname: other");
    expect(
      JSON.stringify(await Promise.all(skills.map(({ name }) => project.env.skill(name)))),
    ).not.toContain("\\r");
    const messages = await said(project);
    expect(Object.keys(messages).sort()).toEqual(
      ["s1", "s6", "s7"].map((name) => `ai-skills/${name}/SKILL.md`),
    );
    expect(messages["ai-skills/s1/SKILL.md"]).toContain("quotes");
    expect(messages["ai-skills/s6/SKILL.md"]).toContain("header between two ---");
    expect(messages["ai-skills/s7/SKILL.md"]).toContain("no second ---");
  });

  it.each([
    { why: "no name", text: "---\ndescription: d\n---\n", name: "folder", says: "no name" },
    { why: "another name", text: skillText("other"), name: "other", says: "its folder is folder" },
    { why: "a name that is none", text: skillText("My Skill!"), name: "folder", says: "cannot be used" },
    {
      why: "a number as a name",
      text: "---\nname: 7\ndescription: d\n---\n",
      name: "7",
      says: "its name is 7",
    },
    {
      why: "a long description",
      text: skillText("folder", "B", "x".repeat(2_000)),
      name: "folder",
      says: "1024",
    },
    {
      why: "a stray line",
      text: "---\nname: folder\nwhat\ndescription: d\n---\n",
      name: "folder",
      says: "line 3",
    },
  ])("count all the same, and say what was mended: $why", async ({ text, name, says }) => {
    const project = await openProject();
    await put(join(project.folder, "ai-skills/folder/SKILL.md"), text);
    expect(await names(project)).toEqual([name]);
    expect((await said(project))["ai-skills/folder/SKILL.md"]).toContain(says);
  });

  it.each([
    { why: "no description", text: "---\nname: folder\n---\nB", says: "no description" },
    { why: "an empty one", text: "---\nname: folder\ndescription:\n---\nB", says: "no description" },
    { why: "one that is a map", text: "---\nname: folder\ndescription: {a: b}\n---\nB", says: "no text" },
    { why: "nothing", text: "", says: "header" },
    { why: "too much", text: skillText("folder", "x".repeat(300_000)), says: "262144" },
    { why: "other bytes than UTF-8", text: Buffer.from([0xff, 0xfe, 0x41, 0x00]), says: "UTF-8" },
  ])("are left out with one word about it: $why", async ({ text, says }) => {
    const project = await openProject();
    await put(join(project.folder, "ai-skills/good/SKILL.md"), skillText("good"));
    // `put` hands on what `writeFile` takes.
    await put(join(project.folder, "ai-skills/folder/SKILL.md"), text as string);
    expect(await names(project)).toEqual(["good"]);
    const messages = await said(project);
    expect(Object.keys(messages)).toEqual(["ai-skills/folder/SKILL.md"]);
    expect(messages["ai-skills/folder/SKILL.md"]).toContain(says);
    expect(messages["ai-skills/folder/SKILL.md"]).toContain("left out");
  });

  it("of one name in one place are one: the first counts, the second is named", async () => {
    const project = await openProject();
    await put(join(project.folder, "ai-skills/a/SKILL.md"), skillText("same", "first"));
    await put(join(project.folder, "ai-skills/b/SKILL.md"), skillText("same", "second"));
    expect((await project.env.skill("same")).body).toBe("first");
    expect((await said(project))["ai-skills/b/SKILL.md"]).toMatch(/already, so it is left out/);
  });

  it("are named when they lie in the wrong form", async () => {
    const project = await openProject();
    await put(join(project.folder, "ai-skills/loose.md"), skillText("loose"));
    await put(join(project.folder, "ai-skills/README.md"), "about");
    await put(join(project.folder, "ai-skills/.hidden/x"), "");
    await mkdir(join(project.folder, "ai-skills/empty"), { recursive: true });
    await mkdir(join(project.folder, "ai-skills/folder/SKILL.md"), { recursive: true });
    expect(await names(project)).toEqual([]);
    const messages = await said(project);
    expect(Object.keys(messages).sort()).toEqual(
      ["empty/SKILL.md", "folder/SKILL.md", "loose.md"].map((name) => `ai-skills/${name}`),
    );
    expect(messages["ai-skills/loose.md"]).toContain("a folder with a SKILL.md");
    expect(messages["ai-skills/empty/SKILL.md"]).toContain("no such file");
  });

  it.skipIf(process.getuid?.() === 0)("that may not be read are named", async () => {
    const project = await openProject();
    const file = await put(join(project.folder, "ai-skills/locked/SKILL.md"), skillText("locked"));
    await chmod(file, 0);
    expect((await said(project))["ai-skills/locked/SKILL.md"]).toContain("EACCES");
  });

  it("in a place that is no folder, or has too many, are named once", async () => {
    const project = await openProject();
    await put(join(project.folder, "ai-skills"), "a file");
    const many = join(project.folder, ".agents/skills");
    await mkdir(many, { recursive: true });
    for (let at = 0; at < 2_003; at += 1) await mkdir(join(many, `s${String(at).padStart(4, "0")}`));
    await put(join(many, "s0001/SKILL.md"), skillText("s0001"));
    await put(join(many, "s2001/SKILL.md"), skillText("s2001"));
    expect(await names(project)).toEqual(["s0001"]);
    const messages = await said(project);
    expect(messages["ai-skills"]).toContain("it is no folder");
    expect(messages[".agents/skills"]).toMatch(/2003 entries; only the first 2000 are looked at\.$/);
  });

  it("keep foreign keys, and may keep themselves from models", async () => {
    const project = await openProject();
    const text =
      "---\nname: a\ndescription: d\nlicense: MIT\nmetadata: {v: 1}\ndisable-model-invocation: true\n---\nB";
    await put(join(project.folder, "ai-skills/a/SKILL.md"), text);
    expect(await project.env.skill("a")).toMatchObject({
      forModel: false,
      metadata: { license: "MIT", metadata: { v: 1 } },
    });
  });
});

describe("links", () => {
  it("are followed from one folder of skills to another of the same project, and nowhere else", async () => {
    const project = await openProject();
    const outside = await tempFolder();
    await put(join(outside, "SKILL.md"), skillText("outside"));
    await put(join(project.folder, ".agents/skills/near/SKILL.md"), skillText("near"));
    await put(join(project.folder, "other/SKILL.md"), skillText("other"));
    const skills = join(project.folder, "ai-skills");
    await put(join(skills, "good/SKILL.md"), skillText("good"));
    await symlink("../.agents/skills/near", join(skills, "near"));
    await symlink(outside, join(skills, "outside"));
    await symlink("../other", join(skills, "other"));
    await symlink("gone", join(skills, "nowhere"));
    await mkdir(join(skills, "file"));
    await symlink(join(outside, "SKILL.md"), join(skills, "file/SKILL.md"));
    expect(await names(project)).toEqual(["good", "near"]);
    const messages = await said(project);
    expect(messages["ai-skills/outside"]).toContain("not followed out of");
    expect(messages["ai-skills/other"]).toContain("not followed out of");
    expect(messages["ai-skills/nowhere"]).toContain("leads nowhere");
    expect(messages["ai-skills/file/SKILL.md"]).toContain("links are not followed");
    expect(JSON.stringify(messages)).not.toContain("Does outside");
  });

  it("that take a whole folder out of the project give nothing of it", async () => {
    const project = await openProject();
    const outside = await tempFolder();
    await put(join(outside, "x/SKILL.md"), skillText("x"));
    await symlink(outside, join(project.folder, "ai-skills"));
    expect(await names(project)).toEqual([]);
    expect((await said(project))["ai-skills"]).toContain("out of the project");
  });

  it("lead no further through another folder that is a link itself", async () => {
    const project = await openProject();
    const outside = await tempFolder();
    await put(join(outside, "x/SKILL.md"), skillText("x"));
    await symlink(outside, join(project.folder, "ai-skills"));
    await mkdir(join(project.folder, ".agents/skills"), { recursive: true });
    await symlink(join(outside, "x"), join(project.folder, ".agents/skills/x"));
    expect(await names(project)).toEqual([]);
    expect((await said(project))[".agents/skills/x"]).toContain("not followed out of");
  });

  it("of a user are his own matter", async () => {
    const project = await openProject();
    const dotfiles = await tempFolder();
    await put(join(dotfiles, "x/SKILL.md"), skillText("x"));
    await mkdir(join(project.home, "config"), { recursive: true });
    await symlink(dotfiles, join(project.home, "config/skills"));
    expect(await names(project)).toEqual(["x"]);
  });

  it("to a pipe keep nobody waiting", async () => {
    const project = await openProject();
    await mkdir(join(project.folder, "ai-skills/pipe"), { recursive: true });
    execFileSync("mkfifo", [join(project.folder, "ai-skills/pipe/SKILL.md")]);
    expect((await said(project))["ai-skills/pipe/SKILL.md"]).toContain("no regular file");
  });
});

describe("layers", () => {
  it("go from the host over packages and the user to the project; a later one may include what it replaces", async () => {
    const host = await tempFolder();
    const pack = await tempFolder();
    const named = await tempFolder();
    await put(join(pack, "package.json"), '{"name": "ashlar-content-x", "version": "1.0.0"}');
    const settings = JSON.stringify({ packages: [pack], skills: { folders: [named] } });
    const project = await openProject({ user: settings, options: { content: [host] } });
    const layers = [
      join(host, "skills"),
      join(pack, "skills"),
      join(project.home, "config/skills"),
      named,
      join(project.folder, ".agents/skills"),
      join(project.folder, "ai-skills"),
    ];
    await put(join(host, "skills/a/SKILL.md"), skillText("a", "0"));
    // Found as content from now on.
    await mkdir(join(pack, "skills"));
    await project.env.toolsRefresh();
    for (const [at, layer] of layers.entries()) {
      if (at > 0) await put(join(layer, "a/SKILL.md"), skillText("a", `{{a}} ${at}`));
      const skill = await project.env.skill("a");
      expect([at, skill.body]).toEqual([at, Array.from({ length: at + 1 }, (_, one) => one).join(" ")]);
      expect(skill.file).toBe(join(layer, "a/SKILL.md"));
    }
    const { skills } = await project.env.skills();
    expect(skills.map(({ source }) => source)).toEqual(["project"]);
    expect(project.env.contentRoots().map(({ kind, trusted }) => [kind, trusted])).toEqual([
      ["package", true],
      ["packages", true],
      ["user", true],
      ["user", true],
      ["project", false],
    ]);
  });

  it("of files are not read where an Env has none", async () => {
    const project = await openProject({ options: { layers: [] } });
    await put(join(project.folder, "ai-skills/a/SKILL.md"), skillText("a"));
    await put(join(project.home, "config/skills/b/SKILL.md"), skillText("b"));
    expect(await names(project)).toEqual([]);
    expect(project.env.contentRoots()).toEqual([]);
  });

  it("have the shared folder of the user's home below his own", async () => {
    const home = await tempFolder();
    const project = await openProject({ options: { environment: { ASHLAR_HOME: undefined, HOME: home } } });
    await put(join(home, ".agents/skills/a/SKILL.md"), skillText("a", "shared"));
    expect((await project.env.skill("a")).body).toBe("shared");
    await put(join(home, ".config/ashlar/skills/a/SKILL.md"), skillText("a", "{{a}} and own"));
    expect((await project.env.skill("a")).body).toBe("shared and own");
  });

  it("that settings name and that are not there are said; a project may not name any", async () => {
    const user = JSON.stringify({ skills: { folders: ["gone"] } });
    const project = await openProject({ user, project: JSON.stringify({ skills: { folders: ["/"] } }) });
    const { diagnostics } = await project.env.skills();
    expect(diagnostics.map(({ file }) => file)).toEqual([join(project.home, "config/gone")]);
  });

  it("are read again each time, and a mended file is said no more", async () => {
    const project = await openProject();
    const file = await put(join(project.folder, "ai-skills/a/SKILL.md"), "nothing");
    expect(await names(project)).toEqual([]);
    expect(project.env.diagnostics.filter(({ kind }) => kind === "content")).toHaveLength(1);
    await put(file, skillText("a", "one"));
    expect((await project.env.skill("a")).body).toBe("one");
    expect(project.env.diagnostics.filter(({ kind }) => kind === "content")).toEqual([]);
    expect(project.env.knownSkills.map(({ name }) => name)).toEqual(["a"]);
    await rm(join(project.folder, "ai-skills"), { recursive: true });
    await expect(project.env.skill("a")).rejects.toMatchObject({ kind: "usage" });
  });

  it("name the nearest skill for one that is not there", async () => {
    const project = await openProject();
    await put(join(project.folder, "ai-skills/reports/SKILL.md"), skillText("reports"));
    await expect(project.env.skill("report")).rejects.toThrow("did you mean reports?");
  });
});

describe("resources", () => {
  it("are the files beside all skills of the name, the strongest layer's first, without links and hidden files", async () => {
    const project = await openProject();
    const user = join(project.home, "config/skills/a");
    const own = join(project.folder, "ai-skills/a");
    await put(join(user, "SKILL.md"), skillText("a"));
    await put(join(user, "scripts/run.sh"), "user");
    await put(join(user, "both.txt"), "user");
    await put(join(own, "SKILL.md"), skillText("a"));
    await put(join(own, "both.txt"), "project");
    await put(join(own, ".env"), "secret");
    await put(join(own, "deep/AI-auth-y.json"), "secret");
    await put(join(own, "node_modules/x/index.js"), "");
    await put(join(project.folder, "ai-auth-x.json"), "secret");
    await symlink("../../ai-auth-x.json", join(own, "key.json"));
    await symlink("../..", join(own, "up"));
    expect(await project.env.skillResources("a")).toEqual([
      { path: "both.txt", size: 7 },
      { path: "scripts/run.sh", size: 4 },
    ]);
    const text = async (path: string): Promise<string> =>
      new TextDecoder().decode(await project.env.skillResource("a", path));
    expect(await text("both.txt")).toBe("project");
    expect(await text("scripts/run.sh")).toBe("user");
    for (const path of ["key.json", "up/ai-auth-x.json", "nothing.txt", "scripts"])
      await expect(project.env.skillResource("a", path), path).rejects.toMatchObject({
        kind: path === "scripts" ? "content" : "usage",
      });
    for (const path of [
      "",
      "../a/both.txt",
      "/etc/passwd",
      ".env",
      "SKILL.md",
      "scripts/../both.txt",
      "a\0b",
      "deep/AI-auth-y.json",
    ])
      await expect(project.env.skillResource("a", path), path).rejects.toMatchObject({ kind: "usage" });
    await expect(project.env.skillResources("b")).rejects.toMatchObject({ kind: "usage" });
  });

  it("beyond the limit are refused", async () => {
    const project = await openProject();
    await put(join(project.folder, "ai-skills/a/SKILL.md"), skillText("a"));
    const file = join(project.folder, "ai-skills/a/large.bin");
    await put(file, "");
    await truncate(file, 17 * 1024 * 1024);
    await expect(project.env.skillResource("a", "large.bin")).rejects.toMatchObject({ kind: "content" });
  });
});
