import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { tellRun } from "../demo-story.mjs";

const demo = fileURLToPath(new URL("../demo.mjs", import.meta.url));

async function projectCalled(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ashlar demo "));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "README.md"), `# ${name}\n\nA project.\n`);
  return folder;
}

async function story(folder: string): Promise<{ readonly exitCode: number; readonly text: string }> {
  let text = "";
  const { exitCode } = await tellRun({
    model: "test/read",
    folder,
    prompt: "What is this project called? Use the read tool on README.md and quote its first line.",
    write: (part: string) => {
      text += part;
    },
  });
  return { exitCode, text };
}

it("tells of a read of the real file and of an answer that quotes it", async () => {
  const folder = await projectCalled("Stone bridge");
  const { exitCode, text } = await story(folder);
  expect(exitCode).toBe(0);
  expect(text).toContain('calls:  read {"path":"README.md"}\n    1\t# Stone bridge\n');
  expect(text).toContain("says:   The first line of README.md is: # Stone bridge\n");
});

it("tells another answer once the file has changed", async () => {
  const folder = await projectCalled("Stone bridge");
  const before = await story(folder);
  await writeFile(join(folder, "README.md"), "# Wooden bridge\n");
  const after = await story(folder);
  expect(before.text).toContain("is: # Stone bridge");
  expect(after.text).toContain("is: # Wooden bridge");
  expect(after.text).not.toContain("Stone");
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
