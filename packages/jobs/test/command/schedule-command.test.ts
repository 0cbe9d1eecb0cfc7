import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { schedule, validate } from "../../src/jobs.js";
import { namesIn, projectWith } from "../support/temporary-folder.js";

const read = (root: string, name: string): Promise<string> =>
  readFile(join(root, "ai-jobs/tasks", name), "utf8");

describe("schedule", () => {
  it("creates a task that says no more than it has to", async () => {
    const root = await projectWith({});
    const { text } = await schedule(root, {
      action: "create",
      filename: "a.md",
      prompt: " Do it. ",
      schedule: "once",
      enabled: true,
    });
    expect(text).toBe("Do it.\n");
    expect(await read(root, "a.md")).toBe("Do it.\n");
    expect(await namesIn(root, "tasks")).toEqual(["a.md"]);
  });

  it("keeps a prompt apart from the header that it looks like", async () => {
    const root = await projectWith({});
    const prompt = "---\nschedule: once\n---\nDo it.";
    await schedule(root, { action: "create", filename: "a.md", prompt });
    const { tasks } = await validate(root);
    expect(tasks.map(({ task }) => task.prompt)).toEqual([prompt]);
  });

  it("creates a task with a schedule", async () => {
    const root = await projectWith({});
    await schedule(root, {
      action: "create",
      filename: "a.md",
      prompt: "Do it.",
      enabled: false,
      schedule: { at: ["07:00"], days: "weekdays", timezone: "Europe/Berlin" },
    });
    expect((await schedule(root, { action: "list" })).tasks).toEqual([
      { filename: "a.md", enabled: false, schedule: "at 07:00 on mon, tue, wed, thu, fri in Europe/Berlin" },
    ]);
  });

  it("updates what it is given, and keeps the rest with its comments", async () => {
    const before =
      "---\n# weekly\nid: report\nmodel: a/b # the small one\nschedule: every 1w\n---\n\nDo it.\n";
    const root = await projectWith({ "a.md": before });
    await schedule(root, { action: "update", filename: "a.md", enabled: false });
    const off = await read(root, "a.md");
    expect(off).toContain(
      "# weekly\nid: report\nmodel: a/b # the small one\nschedule: every 1w\nenabled: false\n---",
    );
    await schedule(root, { action: "update", filename: "a.md", enabled: true, schedule: "every 2w" });
    expect(await read(root, "a.md")).toBe(before.replace("1w", "2w"));
    await schedule(root, { action: "update", filename: "a.md", prompt: "Do more." });
    expect(await read(root, "a.md")).toBe(before.replace("1w", "2w").replace("Do it.", "Do more."));
  });

  it("adds a frontmatter to a file that has none, and takes the last key out with it", async () => {
    const root = await projectWith({ "a.md": "\uFEFFDo it.\r\n" });
    await schedule(root, { action: "update", filename: "a.md", schedule: { every: "1h" } });
    expect(await read(root, "a.md")).toBe("---\nschedule:\n  every: 1h\n---\n\nDo it.\n");
    await schedule(root, { action: "update", filename: "a.md", schedule: "once" });
    expect(await read(root, "a.md")).toBe("Do it.\n");
  });

  it("reads and removes", async () => {
    const root = await projectWith({ "a.md": "Do it.\n", "bad.md": "---\nx: y\n---\nDo it.\n" });
    expect(await schedule(root, { action: "read", filename: "bad.md" })).toEqual({
      text: "---\nx: y\n---\nDo it.\n",
    });
    expect((await schedule(root, { action: "list" })).tasks).toEqual([
      { filename: "a.md", enabled: true, schedule: "once" },
      { filename: "bad.md", enabled: false, schedule: "", problem: expect.stringContaining('no key "x"') },
    ]);
    await schedule(root, { action: "remove", filename: "bad.md" });
    expect(await namesIn(root, "tasks")).toEqual(["a.md"]);
  });

  it.each([
    {
      why: "a file that is there",
      command: { action: "create", filename: "a.md", prompt: "x" },
      kind: "exists",
    },
    { why: "a file that is not there", command: { action: "read", filename: "b.md" }, kind: "missing" },
    { why: "nothing to remove", command: { action: "remove", filename: "b.md" }, kind: "missing" },
    {
      why: "nothing to update",
      command: { action: "update", filename: "b.md", prompt: "x" },
      kind: "missing",
    },
    { why: "a name that leads elsewhere", command: { action: "remove", filename: "../x.md" }, kind: "usage" },
    {
      why: "a schedule that is none",
      command: { action: "update", filename: "a.md", schedule: "daily" },
      kind: "task",
    },
    { why: "an empty prompt", command: { action: "create", filename: "b.md", prompt: " " }, kind: "task" },
    {
      why: "a file that is no task",
      command: { action: "update", filename: "bad.md", enabled: false },
      kind: "task",
    },
  ] as const)("refuses $why, and changes nothing", async ({ command, kind }) => {
    const files = { "a.md": "Do it.\n", "bad.md": "---\nx: y\n---\nDo it.\n" };
    const root = await projectWith(files);
    await expect(schedule(root, command)).rejects.toMatchObject({ kind });
    expect(await namesIn(root, "tasks")).toEqual(["a.md", "bad.md"]);
    for (const [name, text] of Object.entries(files)) expect(await read(root, name)).toBe(text);
  });

  it("writes over no byte of a file that it cannot read", async () => {
    const root = await projectWith({ "a.md": "" });
    const bytes = Buffer.from([0x44, 0xf6, 0x0a]);
    await writeFile(join(root, "ai-jobs/tasks/a.md"), bytes);
    await chmod(join(root, "ai-jobs/tasks/a.md"), 0o600);
    await expect(schedule(root, { action: "update", filename: "a.md", prompt: "x" })).rejects.toMatchObject({
      kind: "task",
    });
    expect(await readFile(join(root, "ai-jobs/tasks/a.md"))).toEqual(bytes);
  });
});
