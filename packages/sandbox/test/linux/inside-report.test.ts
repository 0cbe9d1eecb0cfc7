import { describe, expect, it } from "vitest";
import {
  decodeReport,
  type Expected,
  type InsideReport,
  problemsInside,
} from "../../src/linux/inside-report.js";

const STATUS = [
  "Name:\tnode",
  "CapInh:\t0000000000000000",
  "CapPrm:\t0000000000000000",
  "CapEff:\t0000000000000000",
  "CapBnd:\t0000000000000000",
  "CapAmb:\t0000000000000000",
  "NoNewPrivs:\t1",
  "Seccomp:\t2",
].join("\n");

const MOUNTS = [
  "1 0 0:1 / / ro - ext4 d rw",
  "2 1 0:2 / /proc rw - proc proc rw",
  "3 1 0:3 / /dev ro - tmpfs t rw",
  "4 3 0:4 /null /dev/null rw - devtmpfs t rw",
  "5 1 0:5 / /p rw - ext4 d rw",
  "6 5 0:5 / /p/.git/hooks ro - ext4 d rw",
  "7 1 0:6 / /home/u/.ssh ro - tmpfs t rw",
];

const LIMITS = [
  "Max file size             65536                65536                bytes",
  "Max processes             100                  100                  processes",
].join("\n");

const inside: InsideReport = {
  status: STATUS,
  firstStatus: STATUS,
  mounts: MOUNTS.join("\n"),
  limits: LIMITS,
  namespaces: { user: "u2", pid: "p2", mnt: "m2", ipc: "i2", uts: "t2", net: "n2" },
  interfaces: ["lo"],
  unreachable: [],
  descriptors: [],
};

const expected: Expected = {
  plan: [
    { path: "/p", kind: "write" },
    { path: "/p/.git/hooks", kind: "read-only" },
    { path: "/home/u/.ssh", kind: "empty-folder" },
  ],
  network: "none",
  fileBytes: 65_536,
  processes: 100,
  namespaces: { user: "u1", pid: "p1", mnt: "m1", ipc: "i1", uts: "t1", net: "n1" },
};

const withMounts = (...lines: readonly string[]): Partial<InsideReport> => ({ mounts: lines.join("\n") });

describe("what the first program inside sees", () => {
  it("is no problem when it is what was asked for", () => {
    expect(problemsInside(inside, expected)).toEqual([]);
  });

  it.each<{ why: string; change: Partial<InsideReport>; problem: RegExp }>([
    {
      why: "a capability",
      change: { status: STATUS.replace("CapEff:\t0000", "CapEff:\t0001") },
      problem: /CapEff/,
    },
    {
      why: "a bounding set",
      change: { status: STATUS.replace("CapBnd:\t0", "CapBnd:\t1") },
      problem: /CapBnd/,
    },
    { why: "no filter", change: { status: STATUS.replace("Seccomp:\t2", "Seccomp:\t0") }, problem: /filter/ },
    {
      why: "no filter on process 1",
      change: { firstStatus: STATUS.replace("Seccomp:\t2", "Seccomp:\t0") },
      problem: /filter holds for the first process/,
    },
    {
      why: "privileges to gain",
      change: { status: STATUS.replace("NoNewPrivs:\t1", "NoNewPrivs:\t0") },
      problem: /gain/,
    },
    { why: "an unreadable status", change: { status: "" }, problem: /capabilities/ },
    {
      why: "the host's processes",
      change: { namespaces: { ...inside.namespaces, pid: "p1" } },
      problem: /pid namespace/,
    },
    {
      why: "the host's network",
      change: { namespaces: { ...inside.namespaces, net: "n1" } },
      problem: /net namespace/,
    },
    {
      why: "a namespace it cannot see",
      change: { namespaces: { ...inside.namespaces, user: "" } },
      problem: /user/,
    },
    { why: "a network interface", change: { interfaces: ["lo", "eth0"] }, problem: /eth0/ },
    { why: "an open file", change: { descriptors: ["/home/u"] }, problem: /descriptor is open on \/home\/u/ },
    {
      why: "no limit on files",
      change: { limits: LIMITS.replaceAll("65536", "unlimited") },
      problem: /files/,
    },
    {
      why: "too many processes",
      change: { limits: LIMITS.replaceAll(" 100 ", " 101 ") },
      problem: /processes/,
    },
    { why: "no limits at all", change: { limits: "" }, problem: /limited/ },
    {
      why: "a root that can be written to",
      change: withMounts("1 0 0:1 / / rw - e d rw", ...MOUNTS.slice(1)),
      problem: /root/,
    },
    { why: "no mounts at all", change: { mounts: "" }, problem: /root/ },
    {
      why: "a missing pin",
      change: withMounts(...MOUNTS.filter((line) => !line.includes("hooks"))),
      problem: /hooks is not mounted/,
    },
    {
      why: "a pin that can be written to",
      change: withMounts(...MOUNTS.map((line) => line.replace("hooks ro", "hooks rw"))),
      problem: /hooks is not mounted as read-only/,
    },
    {
      why: "a read-only write root",
      change: withMounts(...MOUNTS.map((line) => line.replace("/p rw", "/p ro"))),
      problem: /\/p is not mounted as write/,
    },
    {
      why: "a mount that went astray",
      change: withMounts(...MOUNTS, "8 1 0:7 / /etc rw - e d rw"),
      problem: /\/etc is mounted, which nothing asked for/,
    },
    {
      why: "something in a hidden folder",
      change: withMounts(...MOUNTS, "8 7 0:7 / /home/u/.ssh/id ro - e d rw"),
      problem: /id is mounted, which nothing asked for/,
    },
    {
      why: "a cover over a pin",
      change: withMounts(...MOUNTS, "8 6 0:7 / /p/.git/hooks rw - e d rw"),
      problem: /hooks is not mounted as read-only/,
    },
  ])("is a problem with $why", ({ change, problem }) => {
    expect(problemsInside({ ...inside, ...change }, expected).join("\n")).toMatch(problem);
  });

  it("may share the network when that was asked for", () => {
    const change = { namespaces: { ...inside.namespaces, net: "n1" }, interfaces: ["lo", "eth0"] };
    expect(problemsInside({ ...inside, ...change }, { ...expected, network: "full" })).toEqual([]);
  });

  it("may hold mounts of the host below a write root, and read-only ones anywhere", () => {
    const change = withMounts(...MOUNTS, "8 5 0:7 / /p/disk rw - e d rw", "9 1 0:8 / /mnt ro - e d rw");
    expect(problemsInside({ ...inside, ...change }, expected)).toEqual([]);
  });
});

it("may hold a mount that can be written to but not be reached", () => {
  const change = withMounts(...MOUNTS, "8 1 0:7 / /var/lib/docker/one rw - overlay o rw");
  expect(problemsInside({ ...inside, ...change, unreachable: ["/var/lib/docker/one"] }, expected)).toEqual(
    [],
  );
  expect(problemsInside({ ...inside, ...change }, expected)).toHaveLength(1);
});

describe("the report as it comes over the pipe", () => {
  it("is taken in its own form only", () => {
    expect(decodeReport({ ...inside })).toEqual(inside);
    const broken = [
      null,
      [],
      { ...inside, mounts: 1 },
      { ...inside, interfaces: [1] },
      { ...inside, namespaces: [] },
    ];
    expect(broken.map(decodeReport)).toEqual(broken.map(() => undefined));
  });
});
