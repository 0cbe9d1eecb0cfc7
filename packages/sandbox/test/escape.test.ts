import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, linkSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { RunResult, SandboxPolicy } from "../src/index.js";
import { type Identity, ordinaryUser, root } from "./support/identity.js";
import { LIMITS, makePlayground, type Playground, policyFor } from "./support/playground.js";
import { noPython, noSandbox, PYTHON } from "./support/sandbox-here.js";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));
const MEBIBYTE = 1024 * 1024;
const SETUP_LIMIT_MS = 300_000;
const LEAKED_DESCRIPTOR = 99;
const LEAKED_TERMINAL = 77;
const FILL_MEBIBYTES = 24;

type Who = Identity["name"];

/** A way out that is closed. `by`: what the kernel answers, or why there was nothing to find. */
interface Row {
  readonly row: string;
  readonly attempt: string;
  readonly by: RegExp;
  /** Why it cannot be tried under this identity. */
  readonly notFor?: Partial<Record<Who, string>>;
}

const NOTHING = /nothing there/;
const ROWS: readonly Row[] = [
  { row: "a file outside, by its absolute path", attempt: "absolute_path", by: /EROFS/ },
  { row: "a file outside, through parent folders", attempt: "parent_folders", by: /EROFS/ },
  { row: "a file outside, through a symbolic link made inside", attempt: "symbolic_link", by: /EROFS/ },
  { row: "a file outside, through /proc/self/root", attempt: "own_root", by: /EROFS/ },
  {
    row: "a file outside, through the root of the first process",
    attempt: "root_of_first_process",
    by: /EROFS|EACCES/,
  },
  { row: "a start-up file of the user", attempt: "startup_file", by: /EROFS/ },
  { row: "moving the project away", attempt: "move_project", by: /EROFS|EBUSY/ },
  { row: "a hard link to a file outside", attempt: "new_hard_link", by: /EXDEV/ },
  {
    row: "a file outside, through the root of a host process",
    attempt: "root_of_host_process",
    by: /ENOENT|EACCES/,
  },
  { row: "a hook of git", attempt: "git_hook", by: /EROFS/ },
  { row: "the configuration of git", attempt: "git_config", by: /EROFS/ },
  { row: "renaming .git away and making it anew", attempt: "move_git_away", by: /EBUSY/ },
  { row: "a pinned folder that did not exist", attempt: "missing_pin_made", by: /EROFS/ },
  {
    row: "a pinned file that did not exist, renamed into place",
    attempt: "missing_pin_renamed_into",
    by: /EBUSY|EISDIR|ENOTDIR/,
  },
  { row: "swapping the place of a pinned folder", attempt: "missing_pin_folder_replaced", by: /EBUSY/ },
  { row: "keys of ssh", attempt: "read_ssh_keys", by: /ENOENT/ },
  { row: "a hidden credential file", attempt: "read_netrc", by: NOTHING },
  { row: "writing into a hidden folder", attempt: "write_hidden_folder", by: /EROFS/ },
  { row: "the host's shared memory files", attempt: "shared_memory_file", by: NOTHING },
  { row: "the host's temporary files", attempt: "temporary_file", by: NOTHING },
  { row: "mounting a file system", attempt: "mount_tmpfs", by: /EPERM/ },
  { row: "mounting the root writable", attempt: "remount_root", by: /EPERM/ },
  { row: "unmounting what covers /run", attempt: "unmount_covers", by: /EPERM/ },
  { row: "mounting control groups for their release agent", attempt: "mount_control_groups", by: /EPERM/ },
  { row: "the mounted control groups", attempt: "write_control_groups", by: NOTHING },
  { row: "a file outside, by its handle", attempt: "open_by_handle", by: /EPERM/ },
  { row: "making a device", attempt: "make_device", by: /EPERM/ },
  { row: "making the disk", attempt: "make_disk", by: /EPERM/ },
  { row: "opening the disk", attempt: "open_disk", by: /ENOENT/ },
  { row: "/proc/sys/kernel/core_pattern", attempt: "core_pattern", by: /EROFS|EACCES/ },
  { row: "/proc/sysrq-trigger", attempt: "system_request", by: /EROFS|EACCES|ENOENT/ },
  { row: "a user namespace by unshare", attempt: "new_user_namespace", by: /EPERM/ },
  { row: "a user namespace by clone", attempt: "new_user_namespace_by_clone", by: /EPERM/ },
  { row: "a user namespace by clone3", attempt: "new_user_namespace_by_clone3", by: /ENOSYS/ },
  { row: "another root", attempt: "change_root", by: /EPERM/ },
  { row: "bpf", attempt: "bpf", by: /EPERM/ },
  { row: "io_uring", attempt: "io_uring", by: /ENOSYS/ },
  { row: "userfaultfd", attempt: "user_fault", by: /EPERM/ },
  { row: "the kernel's keyrings", attempt: "kernel_keys", by: /EPERM/ },
  { row: "system calls of another interface", attempt: "thirty_two_bit_calls", by: /ENOSYS|nothing/ },
  { row: "tracing a host process", attempt: "trace_host_process", by: /EPERM/ },
  { row: "the memory of a host process", attempt: "read_memory_of_host_process", by: /EPERM/ },
  { row: "a signal to a host process", attempt: "signal_host_process", by: /ESRCH/ },
  { row: "the list of host processes", attempt: "see_host_process", by: NOTHING },
  { row: "a secret in its own environment", attempt: "secret_in_own_environment", by: NOTHING },
  {
    row: "a secret in the environment or command line of any process",
    attempt: "secret_in_any_process",
    by: NOTHING,
  },
  {
    row: "anything in the environment of the first process",
    attempt: "first_process_environment",
    by: NOTHING,
  },
  { row: "more rights in the first process", attempt: "rights_of_first_process", by: NOTHING },
  { row: "a folder that was open in the host's parent", attempt: "inherited_descriptor", by: NOTHING },
  { row: "any folder that is open", attempt: "any_open_folder", by: NOTHING },
  { row: "typing into the host's terminal", attempt: "host_terminal", by: /ENXIO/ },
  {
    row: "typing into a terminal that was open in the host's parent",
    attempt: "inherited_terminal",
    by: /EPERM|ENOTTY/,
  },
  { row: "typing into a terminal of its own", attempt: "type_into_any_terminal", by: /EPERM/ },
  {
    row: "typing, by a request number with high bits",
    attempt: "type_into_any_terminal_by_a_wide_number",
    by: /EPERM/,
  },
  { row: "an abstract unix socket", attempt: "abstract_socket", by: /EPERM/ },
  { row: "a unix socket in the file system", attempt: "path_socket", by: /EPERM/ },
  {
    row: "a unix socket, by a datagram pair connected anew",
    attempt: "datagram_pair_connected_anew",
    by: /EPERM/,
  },
  {
    row: "a unix socket, by a stream pair connected anew",
    attempt: "stream_pair_connected_anew",
    by: /EISCONN|EINVAL|ECONNREFUSED/,
  },
  {
    row: "a unix socket, by an inherited descriptor",
    attempt: "inherited_socket_connected_anew",
    by: /ENOTSOCK/,
  },
  { row: "the host's loopback", attempt: "host_loopback", by: /ECONNREFUSED/ },
  { row: "network interfaces", attempt: "network_interfaces", by: NOTHING },
  { row: "a socket to the virtual machine's host", attempt: "virtual_machine_socket", by: /EPERM/ },
  { row: "a packet socket", attempt: "packet_socket", by: /EPERM/ },
  { row: "the kernel's audit socket", attempt: "kernel_audit_socket", by: /EPERM/ },
  { row: "a shared memory segment", attempt: "shared_memory_segment", by: /ENOENT/ },
  {
    row: "a set-user-id program",
    attempt: "set_user_id_program",
    by: NOTHING,
    notFor: { root: "root has nothing to gain from one" },
  },
  { row: "leaving a set-user-id file, by chmod", attempt: "leave_set_user_id_file", by: /EPERM/ },
  { row: "leaving a set-user-id file, by open", attempt: "create_set_user_id_file", by: /EPERM/ },
  { row: "leaving a set-user-id file, by fchmod", attempt: "change_mode_by_descriptor", by: /EPERM/ },
  {
    row: "leaving a set-user-id file, by fchmodat2",
    attempt: "change_mode_by_the_newest_call",
    by: /EPERM|ENOSYS/,
  },
  { row: "capabilities", attempt: "capabilities", by: NOTHING },
  { row: "a file in /dev, /run or /", attempt: "fill_other_places", by: NOTHING },
];

/** Rows that need limits of their own, and so a run of their own. */
const SEPARATE: Readonly<Record<string, Partial<SandboxPolicy["limits"]>>> = {
  fork_without_end: { processes: 200 },
  one_large_file: { fileBytes: 8 * MEBIBYTE },
  many_files: { fileBytes: 8 * MEBIBYTE },
  fill_temporary_folder: { temporaryBytes: 8 * MEBIBYTE },
  fill_shared_memory: { temporaryBytes: 8 * MEBIBYTE },
  memory_without_end: { memoryBytes: 256 * MEBIBYTE },
};

interface Attempt {
  readonly escaped: boolean;
  readonly detail: string;
}

interface Findings {
  readonly attempts: ReadonlyMap<string, Attempt>;
  readonly outcomes: ReadonlyMap<string, string>;
  readonly arrived: readonly string[];
  readonly before: string;
  readonly after: string;
}

/** Everything outside the project that an attempt could have changed. */
function pictureOf({ base, outside, home }: Playground, mark: string): string {
  const texts = [join(outside, "secret.txt"), join(home, ".bashrc"), join(home, ".netrc")];
  const names = [base, join(base, "work"), outside, home, join(home, ".ssh")].map((folder) =>
    readdirSync(folder),
  );
  const leaks = ["/tmp", "/var/tmp", "/dev/shm", "/run", "/"].map((folder) => existsSync(join(folder, mark)));
  const core = readFileSync("/proc/sys/kernel/core_pattern", "utf8");
  return JSON.stringify(
    { texts: texts.map((file) => readFileSync(file, "utf8")), names, leaks, core },
    null,
    1,
  );
}

const diskOf = (): { disk: string; diskNumber: number } => {
  const name = existsSync("/sys/block")
    ? readdirSync("/sys/block").find((one) => existsSync(`/dev/${one}`))
    : undefined;
  const disk = `/dev/${name ?? "vda"}`;
  return { disk, diskNumber: existsSync(disk) ? statSync(disk).rdev : 0 };
};

function makeFacts(place: Playground, mark: string): object {
  return {
    ...diskOf(),
    project: place.project,
    outside: place.outside,
    home: place.home,
    socket: join(place.base, "run/agent.sock"),
    datagramSocket: join(place.base, "run/log.sock"),
    mark,
    secret: `secret-of-${mark}`,
    segment: process.pid + 0x5b000000,
    leakedDescriptor: LEAKED_DESCRIPTOR,
    leakedTerminal: LEAKED_TERMINAL,
    forks: 600,
    fillMebibytes: FILL_MEBIBYTES,
    memoryMebibytes: 4096,
    timeLimitSeconds: SETUP_LIMIT_MS / 1000,
  };
}

function planOf(place: Playground, factsFile: string): object {
  const policy = policyFor(place.project, {
    readOnly: [".git/hooks", ".git/config", "ai-settings.json", "ai-jobs"].map((name) =>
      join(place.project, name),
    ),
    hidden: [join(place.home, ".ssh"), join(place.home, ".netrc")],
  });
  const command = [PYTHON, join(place.base, "attempts.py"), factsFile];
  const separate = Object.entries(SEPARATE).map(([name, limits]) => ({
    name,
    command: [...command, name],
    policy: { ...policy, limits: { ...LIMITS, ...limits } },
  }));
  return { runs: [{ name: "all", command, policy }, ...separate] };
}

/** Starts a careless host as that user, which runs every attempt in sandboxes of the built package. */
function tryEverything(identity: Identity, place: Playground): Findings {
  const mark = `ashlar-escape-${process.pid}-${identity.uid}`;
  const factsFile = join(place.base, "facts.json");
  const planFile = join(place.base, "plan.json");
  for (const name of ["attempts.py", "careless-host.py", "driver.mjs"])
    writeFileSync(join(place.base, name), readFileSync(join(fixtures, name)));
  writeFileSync(factsFile, JSON.stringify(makeFacts(place, mark)));
  writeFileSync(planFile, JSON.stringify(planOf(place, factsFile)));
  linkSync(join(place.outside, "secret.txt"), join(place.project, "old-hard-link"));
  execFileSync("chown", [`${identity.uid}:${identity.gid}`, factsFile]);
  const before = pictureOf(place, mark);
  const host = [join(place.base, "careless-host.py"), factsFile];
  const driver = [process.execPath, join(place.base, "driver.mjs"), place.entry, planFile];
  const { stdout, stderr } = spawnSync(PYTHON, [...host, ...driver], {
    uid: identity.uid,
    gid: identity.gid,
    cwd: place.base,
    env: { PATH: process.env.PATH, API_KEY: `secret-of-${mark}`, HOME: place.home },
    encoding: "utf8",
    timeout: SETUP_LIMIT_MS,
  });
  return { ...findingsOf(stdout, stderr), before, after: pictureOf(place, mark) };
}

type Line = { name?: string; stdout?: string; stderr?: string; error?: string; arrived?: string[] } & Partial<
  Pick<RunResult, "outcome">
>;

function findingsOf(stdout: string, stderr: string): Omit<Findings, "before" | "after"> {
  const attempts = new Map<string, Attempt>();
  const outcomes = new Map<string, string>();
  let arrived: readonly string[] = ["the host did not finish"];
  for (const text of stdout.split("\n").filter((one) => one.startsWith("{"))) {
    // A cast because the line is this test's own driver's.
    const line = JSON.parse(text) as Line;
    if (line.error !== undefined) throw new Error(`${line.name}: ${line.error}`);
    if (line.arrived) arrived = line.arrived;
    if (line.name !== undefined && line.outcome !== undefined) outcomes.set(line.name, line.outcome);
    if (!line.stdout?.startsWith("{")) continue;
    for (const [name, found] of Object.entries<Attempt>(JSON.parse(line.stdout))) attempts.set(name, found);
  }
  if (attempts.size === 0) throw new Error(`nothing was tried: ${stderr}\n${stdout}`);
  return { attempts, outcomes, arrived };
}

const limited = noSandbox ?? noPython;

describe.skipIf(limited !== undefined).each([
  { who: "root" as const, make: root },
  { who: "an ordinary user" as const, make: ordinaryUser },
])("a hostile program in a sandbox of $who", ({ who, make }) => {
  let identity: Identity;
  let place: Playground | undefined;
  let findings: Findings;

  beforeAll(() => {
    identity = make();
    if (identity.missing !== undefined) return console.log(`not run as ${who}: ${identity.missing}`);
    place = makePlayground(identity);
    findings = tryEverything(identity, place);
  }, SETUP_LIMIT_MS);
  beforeEach(({ skip }) => skip(identity.missing !== undefined, identity.missing));
  afterAll(() => {
    place?.remove();
    identity.remove();
  });

  const found = (name: string): Attempt =>
    findings.attempts.get(name) ?? { escaped: true, detail: "was not tried" };

  it.for(ROWS)("does not reach $row", ({ attempt, by, notFor }, { skip }) => {
    const reason = notFor?.[who];
    if (reason !== undefined) console.log(`not run as ${who}: ${attempt}: ${reason}`);
    skip(reason !== undefined, reason);
    const { escaped, detail } = found(attempt);
    expect(detail).toMatch(by);
    expect(escaped).toBe(false);
  });

  it("is stopped by the limit on processes", ({ skip }) => {
    const { escaped, detail } = found("fork_without_end");
    const reason = "root may not make a control group that counts processes here";
    if (who === "root" && escaped) console.log(`not run as root: ${reason}`);
    skip(who === "root" && escaped, reason);
    expect(detail).toMatch(/EAGAIN/);
    expect(escaped).toBe(false);
  });

  it.each([
    { what: "file", attempt: "one_large_file", by: /EFBIG/ },
    { what: "temporary folder", attempt: "fill_temporary_folder", by: /ENOSPC/ },
    { what: "shared memory folder", attempt: "fill_shared_memory", by: /ENOSPC/ },
  ])("is stopped by the limit on the size of a $what", ({ attempt, by }) => {
    expect(found(attempt).detail).toMatch(by);
    expect(found(attempt).escaped).toBe(false);
  });

  it("is stopped by the limit on memory", () => {
    expect(findings.outcomes.get("memory_without_end")).toBe("memory");
  });

  it("stays open: writes to a file outside through a hard link that was there before", () => {
    expect(found("old_hard_link").escaped).toBe(true);
  });

  it("stays open: fills the project with files that are each small enough", () => {
    expect(found("many_files").detail).toBe(`wrote ${FILL_MEBIBYTES} files of 1 MiB`);
  });

  it("sent nothing to the host's sockets, signals or terminals", () => {
    expect(findings.arrived).toEqual([]);
  });

  it("changed nothing outside but what the old hard link leads to", () => {
    const expected = findings.before.replace(
      "as it was\\n",
      "as it was\\nthrough a link that was there before\\n",
    );
    expect(findings.after).toBe(expected);
  });
});
