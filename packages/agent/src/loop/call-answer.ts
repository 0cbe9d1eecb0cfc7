import { nearestName } from "@ashlar/context";
import type { UnrunReason } from "./loop-state.js";

const LISTED_TOOLS = 60;

/** The answer to a call of a tool that is not there. */
export function unknownTool(name: string, known: Iterable<string>): string {
  const names = [...known];
  const near = nearestName(name, names);
  const meant = near === undefined ? "" : ` Did you mean ${JSON.stringify(near)}?`;
  const listed = names.slice(0, LISTED_TOOLS).join(", ");
  const more = names.length > LISTED_TOOLS ? `, and ${names.length - LISTED_TOOLS} more` : "";
  const list = names.length === 0 ? "This agent has no tools." : `The tools are: ${listed}${more}.`;
  return `There is no tool ${JSON.stringify(name)}.${meant} ${list}`;
}

export function invalidArguments(name: string, problems: readonly string[]): string {
  return `The arguments of ${name} do not fit its schema; nothing was run.\n${problems.map((problem) => `- ${problem}`).join("\n")}`;
}

/** Why calls of a response were not run. */
export function unrunText(reason: UnrunReason): string {
  switch (reason) {
    case "cut":
      return "The output limit cut this response, so its calls may not be whole. Nothing was run. Send the call again in smaller pieces.";
    case "cancelled":
      return "The run was cancelled before this call ran.";
    case "failed":
      return "The response failed before it was complete, so this call was not run.";
    case "refused":
      return "The model refused to go on, so this call was not run.";
  }
}

export function cancelledText(name: string): string {
  return `The run was cancelled while ${name} was running, and its result is lost.`;
}

export function timeoutText(name: string, timeoutMs: number): string {
  return `${name} did not finish within ${timeoutMs} ms and was told to stop.`;
}

/** What was read differently from what the model wrote. */
export function notesText(notes: readonly string[]): string {
  return `Note: ${notes.join("; ")}.`;
}
