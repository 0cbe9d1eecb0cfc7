import type { StartRequest } from "../frames/frame.js";
import { insideProgram, packageFolder } from "../inside-path.js";
import { launchBubblewrap } from "../linux/bubblewrap.js";
import { launchSeatbelt } from "../macos/seatbelt.js";
import type { Mechanism } from "../mechanism.js";
import { isVisible, planMounts } from "../policy/mount-plan.js";
import type { SandboxPolicy } from "../policy/policy.js";
import { checkPolicy } from "../policy/policy-check.js";
import { inTurn } from "../policy/reserved-places.js";
import { resolvePolicy } from "../policy/resolve-policy.js";
import { SandboxError } from "../sandbox-error.js";
import type { Launch } from "./launch.js";

export interface LaunchOptions {
  readonly mechanism: Mechanism;
  /** The mechanism's program. */
  readonly program: string;
  readonly policy: SandboxPolicy;
  readonly request: Omit<StartRequest, "environment" | "cwd">;
}

/** From the policy to what has to be started. Throws kind `usage` for what is wrong in it. */
export async function makeLaunch(options: LaunchOptions): Promise<Launch> {
  checkPolicy(options.policy);
  return inTurn(() => resolveAndLaunch(options));
}

async function resolveAndLaunch({ mechanism, program, policy, request }: LaunchOptions): Promise<Launch> {
  const first = [process.execPath, insideProgram()];
  const resolved = await resolvePolicy(policy, [process.execPath, packageFolder()]);
  if (mechanism === "seatbelt") return launchSeatbelt({ sandboxExec: program, first, policy, resolved });
  const plan = planMounts(resolved);
  if ("module" in request && typeof request.module === "string" && !isVisible(plan, request.module))
    throw new SandboxError(
      "usage",
      `module: ${request.module} cannot be seen inside the sandbox; add its folder to policy.readable`,
      { at: "module" },
    );
  return launchBubblewrap({ bubblewrap: program, first, policy, plan, reserved: resolved.reserved });
}
