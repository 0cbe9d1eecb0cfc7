import type { ShellExit } from "@ashlar/context/tool";

/** An exit that also says whether something the shell had started was still there. */
export interface ShellEnd extends ShellExit {
  /** Something was still running, or holding the output, when the shell had ended. Absent: not known. */
  readonly outputOpen?: boolean;
}
