import { readlinkSync } from "node:fs";
import type { Launch } from "../confined/launch.js";
import { limitedCommand } from "../confined/limited-command.js";
import { DESCRIPTOR } from "../descriptor.js";
import type { PlannedMount } from "../policy/mount-plan.js";
import { DEFAULT_PROCESSES, DEFAULT_TEMPORARY_BYTES, type SandboxPolicy } from "../policy/policy.js";
import { reservePlaces } from "../policy/reserved-places.js";
import { SandboxError } from "../sandbox-error.js";
import { bubblewrapOptions, emptyFilesOf, encodeOptions } from "./bubblewrap-arguments.js";
import { createControlGroup, joining } from "./control-group.js";
import { problemsInside } from "./inside-report.js";
import { seccompFilter } from "./seccomp/filter.js";
import type { Architecture } from "./seccomp/system-calls.js";

const NAMESPACES = ["user", "pid", "mnt", "ipc", "uts", "net"];

/** Undefined where no filter can be made. */
export function supportedArchitecture(name: string): Architecture | undefined {
  return name === "x64" || name === "arm64" ? name : undefined;
}

const ownNamespaces = (): Readonly<Record<string, string>> =>
  Object.fromEntries(NAMESPACES.map((name) => [name, readlinkSync(`/proc/self/ns/${name}`)]));

export interface BubblewrapRequest {
  /** Path of `bwrap`. */
  readonly bubblewrap: string;
  /** The first program inside, with its arguments. */
  readonly first: readonly string[];
  readonly policy: SandboxPolicy;
  readonly plan: readonly PlannedMount[];
  readonly reserved: readonly string[];
}

/** Takes what one start needs outside; `release` gives it back. */
export async function launchBubblewrap(request: BubblewrapRequest): Promise<Launch> {
  const { policy, plan } = request;
  const architecture = supportedArchitecture(process.arch);
  if (!architecture)
    throw new SandboxError("start", `There is no system call filter for ${process.arch}.`, {});
  const processes = policy.limits.processes ?? DEFAULT_PROCESSES;
  const fileBytes = policy.limits.fileBytes;
  const options = bubblewrapOptions({
    plan,
    network: policy.network,
    temporaryBytes: policy.limits.temporaryBytes ?? DEFAULT_TEMPORARY_BYTES,
  });
  const places = await reservePlaces(request.reserved);
  const group = createControlGroup(processes);
  const command = [
    request.bubblewrap,
    "--args",
    String(DESCRIPTOR.options),
    "--",
    ...limitedCommand(request.first, { fileBytes, processes }),
  ];
  const expected = { plan, network: policy.network, fileBytes, processes, namespaces: ownNamespaces() };
  return {
    command: group ? joining(group, command) : command,
    feeds: new Map([
      [DESCRIPTOR.options, encodeOptions(options)],
      [DESCRIPTOR.filter, seccompFilter(architecture)],
    ]),
    emptyDescriptors: Array.from(
      { length: emptyFilesOf(plan) },
      (_, index) => DESCRIPTOR.firstEmptyFile + index,
    ),
    statusDescriptor: DESCRIPTOR.status,
    problems: (report) => problemsInside(report, expected),
    release: async () => {
      await Promise.all([places.release(), group?.remove()]);
    },
  };
}
