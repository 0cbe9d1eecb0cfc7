import { probe } from "@ashlar/sandbox";
import type { ToolPackSubject } from "./subject.js";

/** One thing that a tool package must do. */
export interface ToolPackCase {
  readonly name: string;
  /** What goes wrong for people when it is broken. */
  readonly why: string;
  /** `sandbox`: the case runs code of the package, which happens nowhere else. */
  readonly needs?: "sandbox";
  /** Rejects with a `ConformanceFailure` that says what was expected and what came. */
  readonly run: (subject: ToolPackSubject) => Promise<void>;
}

/** Why a case cannot be run on this machine; undefined when it can. */
export async function unmetNeed({ needs }: ToolPackCase): Promise<string | undefined> {
  if (needs === undefined) return undefined;
  const { confines, reason = "the sandbox does not confine files", remedy = "" } = await probe();
  return confines.files ? undefined : `no sandbox works here: ${reason} ${remedy}`.trim();
}
