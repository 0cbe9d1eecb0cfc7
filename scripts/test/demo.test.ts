import { execFile, execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { probe } from "@ashlar/sandbox";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { SCRIPTED_MODEL, tellChange } from "../demo-change.mjs";
import { tellRun } from "../demo-story.mjs";

const demo = fileURLToPath(new URL("../demo.mjs", import.meta.url));
const { confines, reason } = await probe();
const works = confines.files && confines.network && confines.processes;
if (!works) console.log(`not run: the demo's change, because ${reason}`);

interface Story {
  readonly exitCode: number | undefined;
  readonly text: string;
}

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "ashlar demo "));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

async function projectCalled(name: string): Promise<string> {
  const path = await folder();
  await writeFile(join(path, "README.md"), `# ${name}\n\nA project.\n`);
  return path;
}

function commit(path: string): void {
  const git = (...args: readonly string[]): Buffer => execFileSync("git", args, { cwd: path });
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@b.c", "commit", "--quiet", "--message", "a stone");
}

const COUNTS_SECTIONS =
  'import { readFileSync } from "node:fs";\nconst text = readFileSync("README.md", "utf8");\nconsole.log("sections:", [...text.matchAll(/^## (.+)$/gm)].map(([, name]) => name).join());\n';

/** A repository with what the script asks for; its check names the sections of README.md. */
async function repositoryCalled(name: string, check: string = COUNTS_SECTIONS): Promise<string> {
  const path = await folder();
  await mkdir(join(path, "scripts"));
  await writeFile(join(path, "README.md"), `# ${name}\n\n## Guides\n\nNone.\n`);
  await writeFile(join(path, "scripts/documents.mjs"), check);
  commit(path);
  return path;
}

async function readingOf(path: string): Promise<Story> {
  let text = "";
  const { exitCode } = await tellRun({
    model: "test/read",
    folder: path,
    prompt: "What is this project called? Use the read tool on README.md and quote its first line.",
    flags: ["--read-only"],
    write: (part: string) => {
      text += part;
    },
  });
  return { exitCode, text };
}

async function changeOf(repository: string, environment: NodeJS.ProcessEnv = process.env) {
  let text = "";
  const write = (part: string): void => {
    text += part;
  };
  const { exitCode, noCopy } = await tellChange({ model: SCRIPTED_MODEL, repository, environment, write });
  return { exitCode, noCopy, text };
}

describe("a folder that is only read", () => {
  it("is told of with a read of the real file and an answer that quotes it", async () => {
    const { exitCode, text } = await readingOf(await projectCalled("Stone bridge"));
    expect(exitCode).toBe(0);
    expect(text).toContain('calls:  read {"path":"README.md"}\n    1\t# Stone bridge\n');
    expect(text).toContain("says:   The first line of README.md is: # Stone bridge\n");
  });

  it("gives another answer once the file has changed", async () => {
    const path = await projectCalled("Stone bridge");
    const before = await readingOf(path);
    await writeFile(join(path, "README.md"), "# Wooden bridge\n");
    const after = await readingOf(path);
    expect(before.text).toContain("is: # Stone bridge");
    expect(after.text).toContain("is: # Wooden bridge");
    expect(after.text).not.toContain("Stone");
  });
});

describe.runIf(works)("a copy that is changed", () => {
  it("is read, edited and checked, and one undo leaves git nothing to see", async () => {
    const repository = await repositoryCalled("Stone bridge");
    const { exitCode, text } = await changeOf(repository);
    expect(exitCode, text).toBe(0);
    expect(text).toContain("    1\t# Stone bridge\n");
    expect(text).toContain("    -## Guides\n    +## Read on\n");
    expect(text).toContain(
      'calls:  bash {"command":"node scripts/documents.mjs --check"}\n    sections: Read on\n',
    );
    expect(text).toContain("says:   The first line of README.md is: # Stone bridge\n");
    expect(text).toContain("The check: sections: Read on\n");
    const end = text.slice(text.indexOf("$ git status"));
    expect(end).toContain(
      "$ git status --porcelain\n     M README.md\n\n$ ashlar undo\n    restored README.md\n",
    );
    expect(end.match(/\$ ashlar undo/g)).toHaveLength(1);
    expect(end).toMatch(
      /\$ git status --porcelain\n {4}\(nothing\)\n\nThe copy is again what it was before the run\.\n$/,
    );
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: repository, encoding: "utf8" })).toBe("");
  });

  it("gives another answer once the file has changed", async () => {
    const repository = await repositoryCalled("Stone bridge");
    await writeFile(join(repository, "README.md"), "# Wooden bridge\n\n## Guides\n");
    commit(repository);
    const { text } = await changeOf(repository);
    expect(text).toContain("is: # Wooden bridge\n");
    expect(text).not.toContain("Stone");
  });

  it("fails when there was nothing to rename, for the script is then wrong", async () => {
    const repository = await repositoryCalled("Stone bridge");
    await writeFile(join(repository, "README.md"), "# Stone bridge\n");
    commit(repository);
    const { exitCode, text } = await changeOf(repository);
    expect(exitCode).toBe(1);
    expect(text).toMatch(/Nothing was changed\.\n$/);
  });

  it("fails when a command left something that cannot be undone, and says so", async () => {
    const { exitCode, text } = await changeOf(
      await repositoryCalled(
        "Stone bridge",
        'import { writeFileSync } from "node:fs";\nwriteFileSync("left", "");\n',
      ),
    );
    expect(exitCode).toBe(1);
    expect(text).toMatch(
      /\$ git status --porcelain\n {4}\?\? left\n\nWhat git still sees .* cannot be undone/,
    );
  });
});

describe("without a sandbox", () => {
  const none = { ...process.env, ASHLAR_OS_SANDBOX: "none" };

  it("the demo reads only, says why in plain words, and still succeeds", async () => {
    const { exitCode, text } = await changeOf(await repositoryCalled("Stone bridge"), none);
    expect(exitCode, text).toBe(0);
    expect(text).toContain("    1\t# Stone bridge\n");
    expect(text).toContain("denied: edit was not run: no sandbox: ");
    expect(text).toContain("denied: bash was not run: no sandbox: ");
    expect(text).toContain("The run ended with exit code 7: calls of edit and bash were refused");
    expect(text).toContain("The reason was: ASHLAR_OS_SANDBOX=none forbids every sandbox.");
    expect(text).toMatch(/\$ git status --porcelain\n {4}\(nothing\)\n\nNothing was changed\.\n$/);
    expect(text).not.toContain("ashlar undo");
  });

  it("leaves nothing of the copy behind", async () => {
    const repository = await repositoryCalled("Stone bridge");
    const temporary = await folder();
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect((await changeOf(repository, none)).exitCode).toBe(0);
    expect(await readdir(temporary)).toEqual([]);
  });
});

it("runs nothing where there is no repository to copy, and says why", async () => {
  const { noCopy, text } = await changeOf(await projectCalled("Stone bridge"));
  expect(noCopy).toContain("not");
  expect(text).toBe("");
});

it.each([
  {
    why: "an unknown argument",
    args: ["--modle", "x"],
    says: "Known: --model endpoint/model, --folder path",
  },
  { why: "a folder that is not there", args: ["--folder", "/nowhere"], says: "there is no such folder" },
])("refuses $why before it installs anything", async ({ args, says }) => {
  const { code, stderr } = await promisify(execFile)(process.execPath, [demo, ...args]).then(
    () => ({ code: 0, stderr: "" }),
    (failure: { code: number; stderr: string }) => failure,
  );
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) });
});
