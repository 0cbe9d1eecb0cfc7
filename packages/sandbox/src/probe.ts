import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { findProgram } from "./find-program.js";
import { supportedArchitecture } from "./linux/bubblewrap.js";
import {
  type Explanation,
  explainFailure,
  FORBIDDEN,
  isAtLeast,
  type KernelFacts,
  NOT_INSTALLED,
  OLDEST_BUBBLEWRAP,
  tooOld,
  versionOf,
} from "./linux/bubblewrap-failure.js";
import type { Confinement, Mechanism } from "./mechanism.js";
import { checkMechanism } from "./probe-check.js";
import { isSandboxError } from "./sandbox-error.js";

/** What a real start of the whole profile on this machine has shown. */
export interface Probe {
  readonly mechanism: Mechanism;
  readonly confines: Confinement;
  /** The mechanism's program and version; absent for `none`. */
  readonly program?: string;
  readonly version?: string;
  /** Where `confines` is less than everything: exactly why, and what to do about it, in plain words. */
  readonly reason?: string;
  readonly remedy?: string;
}

export interface ProbeOptions {
  /** Read for `PATH` and `ASHLAR_OS_SANDBOX` (`none` forbids every sandbox; no value widens one). Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const NOTHING: Confinement = { files: false, network: false, processes: false };
const EVERYTHING: Confinement = { files: true, network: true, processes: true };
const VERSION_TIME_MS = 10_000;

const none = ({ reason, remedy }: Explanation): Probe => ({
  mechanism: "none",
  confines: NOTHING,
  reason,
  remedy,
});

/** Undefined if the setting allows a sandbox. */
function forbidden(setting: string | undefined): Explanation | undefined {
  if (setting === undefined || setting === "" || setting === "auto") return undefined;
  if (setting === "none") return FORBIDDEN;
  return {
    reason: `ASHLAR_OS_SANDBOX is ${JSON.stringify(setting)}, which means nothing; to be safe it forbids every sandbox.`,
    remedy: "Unset ASHLAR_OS_SANDBOX, or set it to `none`.",
  };
}

const versionOutput = (program: string): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, ["--version"], { env: {}, timeout: VERSION_TIME_MS }, (_error, stdout) =>
      resolve(stdout),
    );
  });

const readFact = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // Not every kernel has every switch.
    return undefined;
  }
};

const kernelFacts = (): KernelFacts => ({
  appArmorRestricts: readFact("/proc/sys/kernel/apparmor_restrict_unprivileged_userns"),
  unprivilegedClone: readFact("/proc/sys/kernel/unprivileged_userns_clone"),
  maxUserNamespaces: readFact("/proc/sys/user/max_user_namespaces"),
  inContainer: existsSync("/.dockerenv") || existsSync("/run/.containerenv"),
  isRoot: process.getuid?.() === 0,
});

function explain(error: unknown): Explanation {
  if (isSandboxError(error) && error.kind === "start" && "output" in error.details)
    return explainFailure(error.details.output ?? "", kernelFacts());
  const message = error instanceof Error ? error.message : String(error);
  return {
    reason: `the sandbox was tried and failed: ${message}.`,
    remedy: "Nothing that changes files will run until this is put right.",
  };
}

/** Undefined if all that was tried inside went as it should. */
async function tryMechanism(mechanism: Mechanism, program: string): Promise<Explanation | undefined> {
  try {
    const problems = await checkMechanism(mechanism, program);
    if (problems.length === 0) return undefined;
    return {
      reason: `${program} ran, but did not confine: ${problems.join("; ")}.`,
      remedy: "This is no sandbox. Update it, and report this if it stays.",
    };
  } catch (error) {
    return explain(error);
  }
}

async function probeLinux(path: string): Promise<Probe> {
  if (!supportedArchitecture(process.arch))
    return none({
      reason: `there is no system call filter for ${process.arch}.`,
      remedy: "Use a machine with an x64 or arm64 processor.",
    });
  const program = findProgram("bwrap", path);
  if (program === undefined) return none(NOT_INSTALLED);
  const version = versionOf(await versionOutput(program));
  if (version === undefined)
    return none({ reason: `${program} does not tell its version.`, remedy: NOT_INSTALLED.remedy });
  if (!isAtLeast(version, OLDEST_BUBBLEWRAP)) return none(tooOld(version));
  const failure = await tryMechanism("bubblewrap", program);
  return failure ? none(failure) : { mechanism: "bubblewrap", confines: EVERYTHING, program, version };
}

const SEATBELT_LIMIT: Explanation = {
  reason: "macOS has no way to end every process that a program started.",
  remedy: "Use Linux, or a Linux container, for programs that change files.",
};

async function probeMac(path: string): Promise<Probe> {
  const program = findProgram("sandbox-exec", path);
  if (program === undefined)
    return none({ reason: "sandbox-exec is not on PATH.", remedy: "Add /usr/bin to PATH." });
  const failure = await tryMechanism("seatbelt", program);
  if (failure) return none(failure);
  return { mechanism: "seatbelt", confines: { ...EVERYTHING, processes: false }, program, ...SEATBELT_LIMIT };
}

async function look(path: string, setting: string | undefined): Promise<Probe> {
  const refusal = forbidden(setting);
  if (refusal) return none(refusal);
  if (process.platform === "linux") return probeLinux(path);
  if (process.platform === "darwin") return probeMac(path);
  return none({
    reason: `there is no sandbox for ${process.platform} yet.`,
    remedy: "Use Linux; on Windows, WSL 2.",
  });
}

const seen = new Map<string, Promise<Probe>>();

/** Starts the hardened profile once and looks at it from the inside. Cached for the process; never rejects. */
export function probe({ environment = process.env }: ProbeOptions = {}): Promise<Probe> {
  const path = environment.PATH ?? "";
  const setting = environment.ASHLAR_OS_SANDBOX;
  const key = JSON.stringify([path, setting]);
  const found = seen.get(key) ?? look(path, setting);
  seen.set(key, found);
  return found;
}
