import { createHash } from "node:crypto";
import { chmodSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { FileChange } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { content, edit, resultOf } from "../support/edit-call.js";
import { failureOf } from "../support/failure.js";
import { type CallOptions, project } from "../support/project.js";

describe("taking a change back", () => {
  const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
  const keeping = (...changes: readonly FileChange[]): CallOptions => ({
    changes: { find: async (id) => changes.find((change) => change.id === id) },
  });
  const changeOf = (folder: string, before: string | null, after: string | null): FileChange => ({
    id: "c7",
    path: join(folder, "a.txt"),
    before: before === null ? null : Buffer.from(before),
    after: after === null ? null : sha256(after),
  });

  it("restores the bytes exactly when nothing came in between, and can itself be taken back", async () => {
    const before = "\ufeffold\r\nx\n";
    const folder = project({ "a.txt": "new" });
    chmodSync(join(folder, "a.txt"), 0o750);
    const options = { ...keeping(changeOf(folder, before, "new")), callId: "c8" };
    const payload = await edit(folder, { path: "a.txt", rollback: "c7" }, options);
    expect(payload).toMatchObject({
      result: 'Took back c7: a.txt is what it was before. Edit id: c8; {"rollback": "c8"} takes it back.',
    });
    expect(content(folder, "a.txt")).toBe(before);
    expect(statSync(join(folder, "a.txt")).mode & 0o777).toBe(0o750);
    const undone = {
      id: "c8",
      path: join(folder, "a.txt"),
      before: Buffer.from("new"),
      after: sha256(before),
    };
    await edit(folder, { path: "./a.txt", rollback: "c8" }, keeping(undone));
    expect(content(folder, "a.txt")).toBe("new");
  });

  it("leaves a file that was changed since, and says what differs", async () => {
    const folder = project({ "a.txt": "one\nTWO\nlater\n" });
    const failure = await failureOf(
      edit(folder, { path: "a.txt", rollback: "c7" }, keeping(changeOf(folder, "one\ntwo\n", "one\nTWO\n"))),
    );
    expect(failure).toMatch(/^changed: a\.txt was changed after c7, so it was left as it is\./);
    expect(failure).toContain("-TWO\n-later\n+two\n");
    expect(content(folder, "a.txt")).toBe("one\nTWO\nlater\n");
  });

  it("has nothing to do when the file is the same already", async () => {
    const folder = project({ "a.txt": "old" });
    expect(
      await resultOf(
        edit(folder, { path: "a.txt", rollback: "c7" }, keeping(changeOf(folder, "old", "new"))),
      ),
    ).toContain("nothing was written");
  });

  it.each([
    {
      why: "it is not kept",
      id: "c6",
      path: "a.txt",
      says: "missing: There is no change c6, or it is no longer kept.",
    },
    { why: "it was another file", id: "c7", path: "b.txt", says: "not in b.txt" },
  ])("is refused when $why", async ({ id, path, says }) => {
    const folder = project({ "a.txt": "new", "b.txt": "new" });
    expect(
      await failureOf(edit(folder, { path, rollback: id }, keeping(changeOf(folder, "old", "new")))),
    ).toContain(says);
    expect(content(folder, "a.txt")).toBe("new");
  });

  it("removes a file that the change made, and brings it back when that is taken back", async () => {
    const folder = project({ "a.txt": "new\n" });
    const options = { ...keeping(changeOf(folder, null, "new\n")), callId: "c8" };
    expect(await edit(folder, { path: "a.txt", rollback: "c7" }, options)).toEqual({
      result: 'Took back c7: a.txt is not there, as before. Edit id: c8; {"rollback": "c8"} takes it back.',
      display: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +0,0 @@\n-new\n",
    });
    expect(readdirSync(folder)).toEqual([]);
    expect(await resultOf(edit(folder, { path: "a.txt", rollback: "c7" }, options))).toContain(
      "nothing was written",
    );
    const removal = { ...changeOf(folder, "new\n", null), id: "c8" };
    await edit(folder, { path: "a.txt", rollback: "c8" }, keeping(removal));
    expect(content(folder, "a.txt")).toBe("new\n");
  });

  it.each([
    {
      why: "made by the change and changed since",
      now: "later",
      before: null,
      says: "there was no such file.",
    },
    {
      why: "removed since",
      now: undefined,
      before: "old",
      says: "was removed after c7, so nothing was put there.",
    },
  ])("leaves a file alone that was $why", async ({ now, before, says }) => {
    const folder = project(now === undefined ? {} : { "a.txt": now });
    const failure = await failureOf(
      edit(folder, { path: "a.txt", rollback: "c7" }, keeping(changeOf(folder, before, "new"))),
    );
    expect(failure).toMatch(/^changed: a\.txt was (?:changed|removed) after c7/);
    expect(failure).toContain(says);
    expect(readdirSync(folder)).toEqual(now === undefined ? [] : ["a.txt"]);
  });

  it("is refused where nothing is kept", async () => {
    const folder = project({ "a.txt": "new" });
    expect(await failureOf(edit(folder, { path: "a.txt", rollback: "c7" }))).toMatch(
      /^refused: No earlier content is kept/,
    );
  });
});
