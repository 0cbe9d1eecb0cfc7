import type { Mechanism } from "./mechanism.js";
import { type Probe, probe } from "./probe.js";
import { SandboxError } from "./sandbox-error.js";

export interface UsableMechanism {
  readonly mechanism: Mechanism;
  readonly program: string;
}

/** Throws kind `unavailable`, with the reason and the remedy, when none works. */
export async function usableMechanism(given: Probe | undefined): Promise<UsableMechanism> {
  const { mechanism, program, reason = "unknown", remedy = "" } = given ?? (await probe());
  if (mechanism === "none" || program === undefined)
    throw new SandboxError("unavailable", `No sandbox works here: ${reason} ${remedy}`.trim(), {
      reason,
      remedy,
    });
  return { mechanism, program };
}
