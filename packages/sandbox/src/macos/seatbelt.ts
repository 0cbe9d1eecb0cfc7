import type { Launch } from "../confined/launch.js";
import { limitedCommand } from "../confined/limited-command.js";
import type { ResolvedPolicy } from "../policy/mount-plan.js";
import { DEFAULT_PROCESSES, type SandboxPolicy } from "../policy/policy.js";
import { seatbeltProfile } from "./seatbelt-profile.js";

export interface SeatbeltRequest {
  /** Path of `sandbox-exec`. */
  readonly sandboxExec: string;
  readonly first: readonly string[];
  readonly policy: SandboxPolicy;
  readonly resolved: ResolvedPolicy;
}

/** Missing pins need no place of their own here: the profile forbids their names. */
export function launchSeatbelt({ sandboxExec, first, policy, resolved }: SeatbeltRequest): Launch {
  const processes = policy.limits.processes ?? DEFAULT_PROCESSES;
  const profile = seatbeltProfile(resolved, policy.network);
  return {
    command: [
      sandboxExec,
      "-p",
      profile,
      ...limitedCommand(first, { fileBytes: policy.limits.fileBytes, processes }),
    ],
    feeds: new Map(),
    emptyDescriptors: [],
    problems: () => [],
    release: async () => undefined,
  };
}
