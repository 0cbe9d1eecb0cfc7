import type { RunRecord } from "@ashlar/jobs";
import { visibleLine } from "../../terminal-text.js";

/** One run in a line: number of the day, outcome, file, conversation, and what went wrong. */
export function runLine({ attempt, number, end }: RunRecord): string {
  const parts = [number, end?.outcome ?? "running", attempt.filename, attempt.session, end?.error ?? ""];
  return parts
    .filter((part) => part !== "")
    .map(visibleLine)
    .join("  ");
}
