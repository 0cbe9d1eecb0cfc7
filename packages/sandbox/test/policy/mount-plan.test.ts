import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { limitedCommand } from "../../src/confined/limited-command.js";
import { isSandboxError } from "../../src/index.js";
import { bubblewrapOptions, encodeOptions } from "../../src/linux/bubblewrap-arguments.js";
import {
  governing,
  isVisible,
  type PlannedMount,
  planMounts,
  type ResolvedPolicy,
} from "../../src/policy/mount-plan.js";
import { foldersBetween, isAtOrBelow, prefixesOf } from "../../src/policy/path-text.js";

const nothing: ResolvedPolicy = {
  writeRoots: [],
  readOnly: [],
  reserved: [],
  hiddenFolders: [],
  hiddenFiles: [],
  readable: [],
  temporaryFolders: ["/tmp"],
  emptiedFolders: ["/run"],
  systemReadOnly: ["/proc/sys"],
  systemHidden: ["/proc/kcore"],
  cwd: "/",
};

const kindsOf = (change: Partial<ResolvedPolicy>): Readonly<Record<string, string>> =>
  Object.fromEntries(planMounts({ ...nothing, ...change }).map(({ path, kind }) => [path, kind]));

describe("the plan of mounts", () => {
  it("replaces temporary folders and hides parts of the kernel's files, whatever the policy", () => {
    expect(kindsOf({})).toEqual({
      "/tmp": "temporary",
      "/run": "empty-folder",
      "/proc/sys": "read-only",
      "/proc/kcore": "empty-file",
    });
  });

  it("holds every folder between a write root and a pin, so that none can be moved away", () => {
    const kinds = kindsOf({
      writeRoots: ["/p"],
      readOnly: ["/p/.git/hooks"],
      reserved: ["/p/a/b/c"],
      cwd: "/p",
    });
    expect(kinds).toMatchObject({
      "/p": "write",
      "/p/.git": "write",
      "/p/.git/hooks": "read-only",
      "/p/a": "write",
      "/p/a/b": "write",
      "/p/a/b/c": "empty-folder",
    });
  });

  it("needs no mount for a pin outside every write root", () => {
    expect(kindsOf({ writeRoots: ["/p"], readOnly: ["/q/.git"] })).not.toHaveProperty("/q/.git");
  });

  it("shows again what must be seen below a hidden folder, and nothing that is seen anyway", () => {
    const kinds = kindsOf({
      hiddenFolders: ["/home"],
      readable: ["/home/node", "/usr/bin/node", "/home/node/lib"],
    });
    expect(kinds).toMatchObject({ "/home": "empty-folder", "/home/node": "read-only" });
    expect(kinds).not.toHaveProperty("/usr/bin/node");
    expect(kinds).not.toHaveProperty("/home/node/lib");
  });

  it("lets a policy put something else where the system's own folders are", () => {
    expect(kindsOf({ writeRoots: ["/tmp"], cwd: "/tmp" })).toMatchObject({ "/tmp": "write" });
  });

  it("refuses one path with two meanings", () => {
    const plan = (): unknown => planMounts({ ...nothing, writeRoots: ["/p"], hiddenFolders: ["/p"] });
    expect(plan).toThrow(
      expect.objectContaining({ kind: "usage", message: expect.stringContaining("/p is also in") }),
    );
  });

  it.each([
    { why: "in a hidden folder", change: { hiddenFolders: ["/h"], cwd: "/h/a" } },
    { why: "in a temporary folder", change: { cwd: "/tmp/a" } },
    { why: "in /run", change: { cwd: "/run/user" } },
  ])("refuses to work $why", ({ change }) => {
    const attempt = (): unknown => planMounts({ ...nothing, ...change });
    expect(attempt).toThrow(expect.objectContaining({ details: { at: "policy.cwd" } }));
  });

  it("can work in the temporary folder itself", () => {
    expect(() => planMounts({ ...nothing, cwd: "/tmp" })).not.toThrow();
  });

  const name = fc.constantFrom("a", "b", "c");
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => `/${names.join("/")}`);
  const paths = fc.array(path, { maxLength: 4 });

  it("puts parents before children, names each path once, and never opens what a longer path closes", () => {
    fc.assert(
      fc.property(paths, paths, paths, paths, (writeRoots, readOnly, hiddenFolders, readable) => {
        let plan: readonly PlannedMount[];
        try {
          plan = planMounts({ ...nothing, writeRoots, readOnly, hiddenFolders, readable });
        } catch (error) {
          // The same path in two lists.
          expect(isSandboxError(error)).toBe(true);
          return;
        }
        const order = plan.map((entry) => entry.path);
        expect(new Set(order).size).toBe(order.length);
        order.forEach((one, index) => {
          expect(order.slice(0, index).some((earlier) => earlier !== one && isAtOrBelow(earlier, one))).toBe(
            false,
          );
        });
        for (const root of writeRoots) expect(governing(plan, root)?.kind).toBe("write");
        for (const hidden of hiddenFolders) expect(isVisible(plan, hidden)).toBe(false);
        for (const pin of readOnly) expect(governing(plan, pin)?.kind).not.toBe("write");
        for (const shown of readable)
          if (!hiddenFolders.includes(shown)) expect(isVisible(plan, shown)).toBe(true);
      }),
    );
  });
});

describe("paths as texts", () => {
  it.each([
    { outer: "/", inner: "/a/b", between: ["/a"] },
    { outer: "/a", inner: "/a/b", between: [] },
    { outer: "/a", inner: "/a/b/c/d", between: ["/a/b", "/a/b/c"] },
  ])("between $outer and $inner lie $between", ({ outer, inner, between }) => {
    expect(foldersBetween(outer, inner)).toEqual(between);
  });

  it("does not take a name that begins alike for something below", () => {
    expect(isAtOrBelow("/ab", "/a")).toBe(false);
    expect(isAtOrBelow("/a", "/")).toBe(true);
    expect(prefixesOf("/a/b")).toEqual(["/", "/a", "/a/b"]);
    expect(prefixesOf("/")).toEqual(["/"]);
  });
});

describe("the options of bubblewrap", () => {
  const plan: readonly PlannedMount[] = [
    { path: "/tmp", kind: "temporary" },
    { path: "/h", kind: "empty-folder" },
    { path: "/p/--bind\nx", kind: "write" },
    { path: "/p/--bind\nx/one", kind: "empty-file" },
    { path: "/p/--bind\nx/two", kind: "empty-file" },
  ];
  const options = bubblewrapOptions({ plan, network: "none", temporaryBytes: 4096 });

  it("start from a read-only root with devices and processes of its own", () => {
    expect(options.slice(0, 7)).toEqual(["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"]);
  });

  it("close hidden folders only after everything below them is mounted", () => {
    expect(options.indexOf("--remount-ro")).toBeGreaterThan(options.lastIndexOf("--ro-bind-data"));
    expect(options).toEqual(expect.arrayContaining(["--remount-ro", "/h"]));
  });

  it("give each empty file a descriptor of its own", () => {
    const at = options.indexOf("--ro-bind-data");
    expect(options.slice(at, at + 6)).toEqual([
      "--ro-bind-data",
      "8",
      "/p/--bind\nx/one",
      "--ro-bind-data",
      "9",
      "/p/--bind\nx/two",
    ]);
  });

  it("limit private folders", () => {
    expect(options.join(" ")).toContain("--perms 1777 --size 4096 --tmpfs /tmp");
  });

  it.each([
    "--unshare-user",
    "--disable-userns",
    "--unshare-pid",
    "--unshare-ipc",
    "--unshare-uts",
    "--unshare-net",
    "--die-with-parent",
    "--new-session",
    "--cap-drop",
    "--seccomp",
  ])("always hold %s", (option) => {
    expect(options).toContain(option);
  });

  it("leave the network to the host only when the policy says so", () => {
    expect(bubblewrapOptions({ plan, network: "full", temporaryBytes: 1 })).not.toContain("--unshare-net");
  });

  it("are handed over so that nothing needs quoting", () => {
    const text = new TextDecoder().decode(encodeOptions(options));
    expect(text.split("\0").slice(0, -1)).toEqual(options);
  });

  it("leave the limits to a shell that becomes the program", () => {
    const command = limitedCommand(["node", "--x"], { fileBytes: 1025, processes: 99 });
    expect(command.slice(0, 2)).toEqual(["/bin/sh", "-c"]);
    expect(command.slice(3)).toEqual(["sh", "2", "99", "node", "--x"]);
  });
});
