import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { nodeFiles } from "../../src/execution/node-files.js";
import { guardPath } from "../../src/guard/path-guard.js";
import { failureOf } from "../support/failure.js";
import { project } from "../support/project.js";

/** A project with links of every kind, beside a folder that is not its own. */
function border() {
  const outside = project({ "victim.txt": "original" });
  const inside = project({ "real.md": "real", "src/a.txt": "a" });
  symlinkSync(join(outside, "victim.txt"), join(inside, "notes.md"));
  symlinkSync(join(outside, "new.txt"), join(inside, "draft.md"));
  symlinkSync(outside, join(inside, "out"));
  symlinkSync("real.md", join(inside, "link.md"));
  symlinkSync("src", join(inside, "sub"));
  symlinkSync("gone.md", join(inside, "dangling.md"));
  symlinkSync("one", join(inside, "two"));
  symlinkSync("two", join(inside, "one"));
  mkdirSync(join(inside, "a"));
  symlinkSync("loop", join(inside, "a/loop"));
  return { inside, outside };
}

const guard = (folder: string, path: string, agent = folder) =>
  guardPath(nodeFiles, path, { folder: agent, project: folder });

describe("a path that stays in the project", () => {
  it.each([
    { why: "a file", path: "real.md", shown: "real.md" },
    { why: "the project itself", path: ".", shown: "." },
    { why: "dots and doubled slashes", path: ".//src/./../src//a.txt", shown: "src/a.txt" },
    { why: "a link to a file", path: "link.md", shown: "real.md" },
    { why: "a link to a folder", path: "sub/a.txt", shown: "src/a.txt" },
    { why: "up from behind a link, as the system does it", path: "sub/../real.md", shown: "real.md" },
  ])("is resolved: $why", async ({ path, shown }) => {
    const { inside } = border();
    expect(await guard(inside, path)).toEqual({
      real: join(inside, shown === "." ? "" : shown).replace(/\/$/, ""),
      shown,
      missing: false,
    });
  });

  it("may be absolute, and may be spelled through a link to the project", async () => {
    const { inside } = border();
    const door = join(project(), "door");
    symlinkSync(inside, door);
    expect((await guard(inside, join(inside, "src/a.txt"))).shown).toBe("src/a.txt");
    expect(await guard(door, join(door, "src/a.txt"))).toEqual({
      real: join(inside, "src/a.txt"),
      shown: "src/a.txt",
      missing: false,
    });
  });

  it("starts in the agent's folder, and is shown from the project", async () => {
    const { inside } = border();
    expect((await guard(inside, "a.txt", join(inside, "src"))).shown).toBe("src/a.txt");
    expect((await guard(inside, "../real.md", join(inside, "src"))).shown).toBe("real.md");
  });

  it.each([
    { why: "a new file", path: "src/new/deep.txt", shown: "src/new/deep.txt" },
    { why: "the missing end of a link", path: "dangling.md", shown: "gone.md" },
    { why: "steps back behind what is missing", path: "none/../src/x", shown: "src/x" },
  ])("need not exist: $why", async ({ path, shown }) => {
    const { inside } = border();
    expect(await guard(inside, path)).toEqual({ real: join(inside, shown), shown, missing: true });
  });
});

describe("a path that leaves the project", () => {
  it.each([
    { why: "a link to a file outside", path: "notes.md", target: "victim.txt" },
    { why: "a link to something outside that does not exist yet", path: "draft.md", target: "new.txt" },
    { why: "a file behind a link to a folder outside", path: "out/x.txt", target: "x.txt" },
    { why: "a missing folder behind such a link", path: "out/none/x.txt", target: "none/x.txt" },
    { why: "steps back through a missing folder", path: "none/../out/victim.txt", target: "victim.txt" },
  ])("is refused and its real target named: $why", async ({ path, target }) => {
    const { inside, outside } = border();
    expect(await failureOf(guard(inside, path))).toBe(
      `outside: ${path} leads to ${join(outside, target)}, which is outside the project ${inside}.`,
    );
  });

  it("is refused when it steps out by dots, from any depth", async () => {
    const { inside, outside } = border();
    const sibling = `../${outside.split("/").at(-1)}/victim.txt`;
    for (const path of [sibling, `a/../${sibling}`, `sub/../${sibling}`, `none/../${sibling}`]) {
      expect(await failureOf(guard(inside, path))).toMatch(/^outside: /);
    }
    expect(await failureOf(guard(inside, "/etc/passwd"))).toMatch(/^outside: .*\/etc\/passwd/);
    expect(await failureOf(guard(inside, `${inside}-twin/x`))).toMatch(/^outside: /);
  });
});

describe("a path that is none", () => {
  it.each([
    { why: "a link to itself", path: "a/loop", kind: "unreadable", says: "circle" },
    { why: "two links to each other", path: "one/x", kind: "unreadable", says: "circle" },
    { why: "a file used as a folder", path: "real.md/x", kind: "unreadable", says: "a file, not a folder" },
    { why: "nothing", path: "", kind: "usage", says: "empty" },
    { why: "a NUL inside", path: "real.md\0.txt", kind: "usage", says: "NUL" },
    { why: "a name of 256 bytes", path: "x".repeat(256), kind: "unreadable", says: "too long" },
    { why: "5,000 characters", path: "x/".repeat(2500), kind: "usage", says: "longer than 4096" },
  ])("is an error and no hang: $why", async ({ path, kind, says }) => {
    const { inside } = border();
    const failure = await failureOf(guard(inside, path));
    expect(failure.split(":")[0]).toBe(kind);
    expect(failure).toContain(says);
  });
});

it("links that each name the next one twice end after forty", async () => {
  const folder = project();
  for (let index = 0; index < 30; index += 1)
    symlinkSync(`l${index + 1}/../l${index + 1}`, join(folder, `l${index}`));
  expect(await failureOf(guard(folder, "l0"))).toBe(
    "unreadable: l0 cannot be read: its links go round in a circle.",
  );
});

describe("names as hostile repositories have them", () => {
  it.each([
    { why: "a line break", name: "a\nb.txt" },
    { why: "quotes and a backslash", name: `"it's"\\.txt` },
    { why: "a leading dash", name: "-rf" },
    { why: "blanks at the ends", name: " x " },
    { why: "a name like a variable", name: "$HOME" },
    { why: "255 bytes", name: "n".repeat(255) },
    { why: "a name like a property", name: "__proto__" },
  ])("are paths like any other: $why", async ({ name }) => {
    const folder = project({ [name]: "content" });
    expect(await guard(folder, name)).toEqual({ real: join(folder, name), shown: name, missing: false });
  });

  it("are missing when they are no UTF-8, because no text can spell them", async () => {
    const folder = project();
    execFileSync("sh", ["-c", "printf x > \"$(printf 'bad\\377')\""], { cwd: folder });
    const [entry] = await nodeFiles.list(folder);
    expect(entry).toEqual({ name: "bad\ufffd", kind: "file" });
    expect((await guard(folder, "bad\ufffd")).missing).toBe(true);
  });
});
