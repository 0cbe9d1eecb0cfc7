import { describe, expect, it } from "vitest";
import { parentGroups } from "../../src/linux/control-group.js";
import { memoryOf, parseStat } from "../../src/linux/process-tree.js";

describe("what the kernel tells of a process", () => {
  it("is read behind a name that holds blanks and brackets", () => {
    const fields = ["S", "42", ...Array.from({ length: 17 }, () => "0"), "777", "0"];
    expect(parseStat(`7 (a) b (c) ${fields.join(" ")}`)).toEqual({ state: "S", parent: 42, started: "777" });
  });

  it("counts memory of its own and shared memory, not pages of files", () => {
    expect(memoryOf("VmRSS:\t900 kB\nRssAnon:\t 100 kB\nRssFile:\t 700 kB\nRssShmem:\t  20 kB\n")).toBe(
      120 * 1024,
    );
    expect(memoryOf("State:\tZ (zombie)\n")).toBe(0);
  });
});

describe("the place for a group that counts processes", () => {
  it("is looked for from the own group upwards, in either hierarchy", () => {
    expect(parentGroups("5:pids:/user\n4:cpu,cpuacct:/x\n0::/user/scope\n")).toEqual([
      "/sys/fs/cgroup/pids/user",
      "/sys/fs/cgroup/pids",
      "/sys/fs/cgroup/user/scope",
      "/sys/fs/cgroup",
    ]);
  });
});
