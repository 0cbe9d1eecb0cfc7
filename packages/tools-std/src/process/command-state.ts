import type { BackgroundCommand } from "@ashlar/context/tool";
import { shownName } from "../guard/shown-name.js";
import { HeadTail } from "../output/head-tail.js";
import { terminalText } from "../output/terminal-text.js";

const MAX_COMMAND = 200;

/** `b1 running: npm start` */
export function stateText(command: BackgroundCommand): string {
  const state = command.running ? "running" : endedText(command).replace(/^E/, "e").replace(/\.$/, "");
  const kept = new HeadTail(MAX_COMMAND);
  kept.push(terminalText(command.command).replaceAll("\n", " "));
  return `${shownName(command.id)} ${state}: ${kept.render().replaceAll("\n", " ")}`;
}

/** `Ended with exit code 3.` */
export function endedText({ exitCode, signal }: Pick<BackgroundCommand, "exitCode" | "signal">): string {
  if (signal !== null) return `Ended by signal ${signal}.`;
  return exitCode === null ? "Ended." : `Ended with exit code ${exitCode}.`;
}
