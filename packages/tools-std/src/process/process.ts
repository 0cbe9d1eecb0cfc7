import type { BackgroundCommand, BackgroundCommands, ToolContext } from "@ashlar/context/tool";
import { checkFields, checkText } from "../argument-check.js";
import { requireWriting } from "../guard/write-guard.js";
import { HeadTail } from "../output/head-tail.js";
import { terminalText } from "../output/terminal-text.js";
import { withNotes } from "../read/read-notes.js";
import { ToolError } from "../tool-error.js";
import { endedText, stateText } from "./command-state.js";
import type { ProcessInput } from "./process-input.js";

const FIELDS = ["action", "id", "from"] as const;
const MAX_OUTPUT = 50_000;

/** The agent's background commands: a list, the output of one, the end of one. Throws a `ToolError`. */
export async function manageProcess(input: ProcessInput, context: ToolContext): Promise<string> {
  checkFields("process", input, FIELDS);
  const { action } = input;
  if (action === "stop") requireWriting("process stop", context);
  const { background } = context;
  if (background === undefined) {
    throw new ToolError("refused", "There are no background commands here: nothing could keep one going.", {
      reason: "no background",
    });
  }
  switch (action) {
    case "list":
      return listText(await background.list());
    case "output":
      return outputText(background, idOf(input), input.from ?? 0);
    case "stop":
      return stateText(await background.stop(idOf(input)));
    default:
      throw new ToolError("usage", `action: wanted list, output or stop, came ${JSON.stringify(action)}.`, {
        argument: "action",
      });
  }
}

function idOf({ action, id }: ProcessInput): string {
  if (id === undefined || id === "") {
    throw new ToolError("usage", `${action} needs the id of a command; {"action": "list"} names them.`, {
      argument: "id",
    });
  }
  return checkText("id", id);
}

function listText(commands: readonly BackgroundCommand[]): string {
  return commands.length === 0 ? "[No background commands.]" : commands.map(stateText).join("\n");
}

async function outputText(background: BackgroundCommands, id: string, from: number): Promise<string> {
  const { text, dropped, next } = await background.output(id, from);
  const command = (await background.list()).find((one) => one.id === id);
  const kept = new HeadTail(MAX_OUTPUT);
  kept.push(terminalText(text));
  const state = command === undefined ? [] : [command.running ? "Running." : endedText(command)];
  return withNotes(kept.render(), [
    ...(dropped === 0 ? [] : [`${dropped} bytes before this are no longer kept.`]),
    ...(text === "" ? [from === 0 ? "No output yet." : `No output from byte ${from} on.`] : []),
    ...(kept.dropped === 0
      ? []
      : [`${kept.dropped} characters in the middle are left out; ask from a later byte.`]),
    ...state,
    `Next: from ${next}.`,
  ]);
}
