import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startFakeLLM } from "@ashlar/testing";
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { ashlar, createProject, type Finished, type Project } from "./command.js";

let project: Project;
beforeEach(async () => {
  project = await createProject();
});
afterEach(() => project.remove());

const run = (args: readonly string[]): Promise<Finished> => ashlar(args, { project });

const skillText = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: "Does ${name}: always"\n---\n${body}\n`;

describe("ashlar skills", () => {
  const skill = (name: string, description: string): string =>
    `---\r\nname: ${name}\r\ndescription: ${description}\r\n---\r\nBody\r\n`;

  it("lists skills and says on stderr which file is bad, hiding no other", async () => {
    await project.write("ai-skills/good/SKILL.md", skill("good", "Does good"));
    await project.write(".agents/skills/other/SKILL.md", skill("other", "Does other things"));
    await project.write("ai-skills/bad/SKILL.md", "no header\n");
    const { code, stdout, stderr } = await run(["skills"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/good {2}Does good/);
    expect(stdout).toMatch(/other {2}Does other things/);
    expect(stderr.match(/bad\/SKILL\.md: it does not begin/g)).toHaveLength(1);
  });

  it("lists them as JSON, and prints one with its includes", async () => {
    await project.write("ai-skills/good/SKILL.md", skill("good", "Does: good"));
    await project.write("ai-skills/good/table.csv", "1;2");
    await project.write(
      "ai-skills/more/SKILL.md",
      skill("more", "Does more").replace("Body", "Begin\r\n{{good}}"),
    );
    const listed = await run(["skills", "--json"]);
    expect(
      listed.stdout
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { name: "good", description: "Does: good", source: "project", forModel: true },
      { name: "more" },
    ]);
    expect(await run(["skills", "more"])).toMatchObject({ code: 0, stdout: "Begin\nBody\n" });
    const one = await run(["skills", "good", "--json"]);
    expect(JSON.parse(one.stdout)).toMatchObject({
      body: "Body",
      metadata: { name: "good" },
      resources: [{ path: "table.csv", size: 3 }],
    });
  });

  it("exits 1 for one that is not there or cannot be expanded, and says why its file is bad", async () => {
    await project.write("ai-skills/round/SKILL.md", skill("round", "Turns").replace("Body", "{{round}}"));
    await project.write("ai-skills/bad/SKILL.md", "no header\n");
    const round = await run(["skills", "round"]);
    expect([round.code, round.stdout]).toEqual([1, ""]);
    expect(round.stderr).toContain("round includes itself");
    const bad = await run(["skills", "bad"]);
    expect(bad.code).toBe(1);
    expect(bad.stderr).toMatch(/bad\/SKILL\.md: it does not begin/);
    expect(bad.stderr).toContain('There is no skill "bad"');
  });

  it("lets no file steer the terminal", async () => {
    await project.write(
      "ai-skills/x/SKILL.md",
      '---\nname: x\ndescription: "a\\x1b[2Jb"\nt\u001b[31m: 1\n---\n',
    );
    await project.write("ai-skills/y\u001b[2J/SKILL.md", "---\nname: y\ndescription: !\u001b[2J d\n---\n");
    const { stdout, stderr } = await run(["skills"]);
    expect(stdout).toContain("x  a [2Jb");
    expect(stdout + stderr).not.toContain("\u001b");
  });
});

describe("ashlar agent with skills", () => {
  it("gives one to the model once, and says a bad one once", async () => {
    const call = { call: { name: "skill", arguments: { names: ["notes"] } } };
    const server = await startFakeLLM({
      script: ({ results }) => (results.length < 2 ? { parts: [call] } : undefined),
    });
    onTestFinished(() => server.close());
    await project.write("ai-skills/notes/SKILL.md", skillText("notes", "Begin.\n{{style}}"));
    await project.write(".agents/skills/style/SKILL.md", skillText("style", "Be brief."));
    await project.write("ai-skills/notes/words.csv", "1;2");
    await project.write("ai-skills/bad/SKILL.md", "---\nname: bad\n");
    const { code, stdout, stderr } = await ashlar(["agent", "--model", "ollama/ok", "Write notes"], {
      project,
      environment: { OLLAMA_HOST: server.url },
    });
    expect(code).toBe(0);
    const asked = server.asked().flatMap(({ wire, text }) => (wire === undefined ? [] : [text]));
    expect(asked.map((text) => text.split("Be brief.").length - 1)).toEqual([0, 1, 1]);
    expect(asked[0]).toContain("- notes: Does notes: always");
    expect(stdout).toContain("The skill notes is in this conversation already.");
    expect(stderr.match(/bad\/SKILL\.md/g)).toHaveLength(1);
  });
});

describe("ashlar prompts", () => {
  it("lists prompts and prints what stands in the place of one", async () => {
    await project.write("ai-prompts/commit.md", "---\ndescription: Writes a commit\n---\nWrite it.\n");
    await project.write("ai-prompts/empty.md", "");
    const listed = await run(["prompts"]);
    expect(listed).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^commit {2}Writes a commit {2}\(/),
    });
    expect(listed.stderr).toMatch(/empty\.md: it has no text/);
    expect(await run(["prompts", "/commit"])).toMatchObject({ code: 0, stdout: "Write it.\n" });
    expect(JSON.parse((await run(["prompts", "commit", "--json"])).stdout)).toMatchObject({
      body: "Write it.",
    });
    const missing = await run(["prompts", "push"]);
    expect([missing.code, missing.stdout]).toEqual([1, ""]);
    expect(missing.stderr).toContain("there are commit");
    expect((await run(["prompts", "empty"])).code).toBe(1);
  });

  it("stands in the message of an agent", async () => {
    await project.write("ai-prompts/say.md", "Say it twice:");
    const { code, stdout } = await run(["agent", "--model", "test/echo", "/say hello there"]);
    expect(code).toBe(0);
    expect(stdout).toContain("Say it twice:\\n\\nhello there");
  });
});

describe("ashlar doctor", () => {
  it("names content packages with version and place", async () => {
    await project.write("pack/package.json", '{"name": "ashlar-content-x", "version": "1.2.3"}');
    await project.write(
      "pack/skills/packed/SKILL.md",
      "---\nname: packed\ndescription: From a package\n---\nBody\n",
    );
    const settings = JSON.stringify({ packages: [`${project.folder}/pack`] });
    await mkdir(join(project.home, "config"), { recursive: true });
    await writeFile(join(project.home, "config/settings.json"), settings);
    expect((await run(["doctor"])).stdout).toMatch(/package +ashlar-content-x 1\.2\.3: content, in .*pack/);
    expect((await run(["skills"])).stdout).toContain("packed  From a package");
  });
});
