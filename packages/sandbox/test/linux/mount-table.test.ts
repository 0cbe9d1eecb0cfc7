import { describe, expect, it } from "vitest";
import { MountTable, parseMounts } from "../../src/linux/mount-table.js";

const TABLE = [
  "66 42 254:0 / / ro,nosuid,relatime - ext4 /dev/vda rw,discard",
  "81 66 0:6 / /dev ro,nosuid - devtmpfs devtmpfs rw",
  "82 81 0:23 / /dev/shm rw,relatime - tmpfs tmpfs rw",
  "86 81 0:41 / /dev ro,nosuid - tmpfs tmpfs rw,mode=755",
  "101 86 0:47 / /dev/shm rw,nosuid - tmpfs tmpfs rw",
  "98 66 0:44 / /tmp rw,nosuid - tmpfs tmpfs rw",
  "102 98 254:0 /tmp/a /tmp/a\\040b\\012c\\134d rw,nosuid shared:1 - ext4 /dev/vda rw",
  "",
].join("\n");

describe("the table of mounts", () => {
  it("decodes blanks, newlines and backslashes in paths", () => {
    expect(parseMounts(TABLE).at(-1)?.path).toBe("/tmp/a b\nc\\d");
  });

  it("reads whether a mount may be written to, not whether its file system may", () => {
    expect(parseMounts(TABLE)[0]?.writable).toBe(false);
  });

  it("finds the mount that a path leads to, through those that cover others", () => {
    const table = new MountTable(parseMounts(TABLE));
    expect(table.at("/dev/shm")?.id).toBe("101");
    expect(table.at("/dev/null")?.id).toBe("86");
    expect(table.at("/tmp/a b\nc\\d/file")?.id).toBe("102");
    expect(table.at("/etc/passwd")?.id).toBe("66");
  });

  it("leaves out what is covered", () => {
    const ids = new MountTable(parseMounts(TABLE)).reachable().map(({ id }) => id);
    expect(ids).toEqual(["66", "86", "101", "98", "102"]);
  });

  it("knows no mount where the table has no root", () => {
    expect(new MountTable([]).at("/a")).toBeUndefined();
  });
});
