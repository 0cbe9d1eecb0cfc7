import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { disable, init, run, status, validate } from "../../src/jobs.js";
import { projectWith, temporaryFolder } from "../support/temporary-folder.js";

const PARTS = ["completed", "errors", "runs", "state", "tasks"];

describe("the jobs folder", () => {
  it("is made once, and made again without a change", async () => {
    const root = await temporaryFolder();
    expect(await init(root)).toBe("created");
    expect((await readdir(join(root, "ai-jobs"))).sort()).toEqual(PARTS);
    await writeFile(join(root, "ai-jobs/tasks/a.md"), "Do it.\n");
    expect(await init(root)).toBe("present");
    expect(await readFile(join(root, "ai-jobs/tasks/a.md"), "utf8")).toBe("Do it.\n");
  });

  it("keeps every byte while it is disabled", async () => {
    const root = await projectWith({ "a.md": "Do it.\r\n" });
    expect(await disable(root)).toBe(true);
    expect(await disable(root)).toBe(false);
    expect(await readdir(root)).toEqual(["ai-jobs-disabled"]);
    expect(await init(root)).toBe("restored");
    expect(await readFile(join(root, "ai-jobs/tasks/a.md"), "utf8")).toBe("Do it.\r\n");
  });

  it("gets a part back that is missing", async () => {
    const root = await projectWith({});
    await rm(join(root, "ai-jobs/runs"), { recursive: true });
    expect(await init(root)).toBe("present");
    expect((await readdir(join(root, "ai-jobs"))).sort()).toEqual(PARTS);
  });

  it("has to be there, and enabled", async () => {
    const root = await temporaryFolder();
    await expect(run(root)).rejects.toMatchObject({
      kind: "disabled",
      message: 'there is no ai-jobs folder here; make it with "ashlar jobs init"',
    });
    await expect(disable(root)).rejects.toMatchObject({ kind: "disabled" });
    await init(root);
    await disable(root);
    await expect(validate(root)).rejects.toMatchObject({
      kind: "disabled",
      message: expect.stringContaining("enable them"),
    });
    expect(await status(root)).toMatchObject({ enabled: false, tasks: [], runs: [] });
  });

  it("is not guessed where there are two", async () => {
    const root = await projectWith({});
    await mkdir(join(root, "ai-jobs-disabled"));
    await expect(init(root)).rejects.toMatchObject({ kind: "layout" });
    await expect(disable(root)).rejects.toMatchObject({ kind: "layout" });
  });

  it.each(["ai-jobs", ...PARTS.map((part) => `ai-jobs/${part}`)])("refuses a link as %s", async (place) => {
    const root = await projectWith({});
    const elsewhere = await temporaryFolder();
    await rm(join(root, place), { recursive: true });
    await symlink(elsewhere, join(root, place));
    for (const action of [init, run, validate, status]) {
      await expect(action(root)).rejects.toMatchObject({
        kind: "layout",
        message: expect.stringContaining(`${place} is a link`),
      });
    }
    expect(await readdir(elsewhere)).toEqual([]);
  });

  it("refuses a file where a folder has to be, and a folder as its record", async () => {
    const root = await projectWith({});
    await mkdir(join(root, "ai-jobs/last-run.json"));
    await expect(run(root)).rejects.toMatchObject({ kind: "layout" });
    await rm(join(root, "ai-jobs"), { recursive: true });
    await writeFile(join(root, "ai-jobs"), "");
    await expect(init(root)).rejects.toMatchObject({
      kind: "layout",
      message: expect.stringContaining("no folder"),
    });
  });
});
