import type { ShellExit, ToolContext } from "@ashlar/context/tool";
import { checkFields, checkText } from "../argument-check.js";
import { nodeExecution } from "../execution/node-execution.js";
import { codeOf, unreadable } from "../guard/file-failure.js";
import { shownName } from "../guard/shown-name.js";
import { requireWriting } from "../guard/write-guard.js";
import { StreamText } from "../output/stream-text.js";
import { terminalText } from "../output/terminal-text.js";
import { endedText } from "../process/command-state.js";
import { withNotes } from "../read/read-notes.js";
import { ToolError } from "../tool-error.js";
import type { BashInput } from "./bash-input.js";
import { bashLimits } from "./bash-settings.js";
import { changesFolder } from "./folder-change.js";
import { liveOutput } from "./live-output.js";
import { startTimeLimit, type TimeLimit } from "./time-limit.js";

const FIELDS = ["command", "timeout", "env", "background"] as const;

/** Runs one command line in the agent's folder. Throws a `ToolError` when it cannot be run or was cancelled. */
export async function bash(input: BashInput, context: ToolContext): Promise<string> {
  checkInput(input);
  requireWriting("bash", context);
  const { command, env = {}, background = false } = input;
  if (background) return startBackground(command, env, context);
  const folder = await agentFolder(context);
  const limit = startTimeLimit(input.timeout, context);
  try {
    const output = newOutput(context);
    const end = await runIn(folder, { command, env, limit, output }, context);
    if (context.signal.aborted && !limit.isUp)
      throw new ToolError("cancelled", "The command was cancelled.", {});
    output.end();
    return resultText(output, [
      ...limit.notes,
      ...exitNotes(end, limit),
      ...(changesFolder(command)
        ? [`cd holds for one call: the next command starts in ${shownName(folder)} again.`]
        : []),
    ]);
  } finally {
    limit.release();
  }
}

function checkInput(input: BashInput): void {
  checkFields("bash", input, FIELDS);
  checkSpawnable("command", checkText("command", input.command));
  if (input.command.trim() === "") throw usage("command", "command is empty");
  for (const [name, value] of Object.entries(input.env ?? {})) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
      throw usage(
        "env",
        `env: ${JSON.stringify(name)} is no name of a variable (letters, digits, _; no digit first)`,
      );
    }
    checkSpawnable(`env.${name}`, checkText(`env.${name}`, value));
  }
}

/** No program can be given a NUL. */
function checkSpawnable(argument: string, text: string): void {
  if (text.includes("\0"))
    throw usage(argument, `${argument} has a NUL character, which no program can be given`);
}

async function agentFolder({ agent, execution }: ToolContext): Promise<string> {
  const { files } = execution ?? nodeExecution();
  return files.realpath(agent.folder).catch((cause: unknown) => {
    throw unreadable(agent.folder, cause);
  });
}

interface Output {
  readonly stdout: StreamText;
  readonly stderr: StreamText;
  readonly take: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
  readonly end: () => void;
}

function newOutput({ env, onData }: ToolContext): Output {
  const { stdoutCharacters, stderrCharacters } = bashLimits(env.settings);
  const stdout = new StreamText("stdout", stdoutCharacters);
  const stderr = new StreamText("stderr", stderrCharacters);
  const live = liveOutput(onData);
  return {
    stdout,
    stderr,
    take: (stream, bytes) => live((stream === "stdout" ? stdout : stderr).push(bytes)),
    end: () => {
      for (const stream of [stdout, stderr]) live(stream.end());
    },
  };
}

interface Running {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limit: TimeLimit;
  readonly output: Output;
}

async function runIn(
  folder: string,
  { command, env, limit, output }: Running,
  { execution }: ToolContext,
): Promise<ShellExit> {
  const { shell } = execution ?? nodeExecution();
  try {
    return await shell.run(command, {
      cwd: folder,
      environment: env,
      signal: limit.signal,
      onOutput: output.take,
    });
  } catch (cause) {
    if (limit.signal.aborted) return { exitCode: null, signal: null };
    if (codeOf(cause) === "E2BIG")
      throw usage("command", "command is too long for this system; put it in a file and run that");
    if (codeOf(cause) === "ENOENT")
      throw new ToolError("missing", "There is no bash on this machine.", { path: "bash" });
    throw cause;
  }
}

function exitNotes({ exitCode, signal, outputOpen = false }: ShellExit, limit: TimeLimit): readonly string[] {
  return [
    ...(exitCode === null || exitCode === 0 ? [] : [`Exit code ${exitCode}.`]),
    ...(signal === null || limit.isUp ? [] : [`Ended by signal ${signal}.`]),
    ...(outputOpen && !limit.isUp
      ? [
          "Something it started was still running when the shell ended; it ends with this call. To keep a command going, use background: true.",
        ]
      : []),
  ];
}

function resultText({ stdout, stderr }: Output, notes: readonly string[]): string {
  const all = [...stdout.notes, ...stderr.notes, ...notes];
  const errors = stderr.text === "" ? "" : `[stderr]\n${stderr.text}`;
  const output = withLineEnd(stdout.text, errors !== "") + errors;
  return output === "" ? withNotes("", ["No output.", ...all]) : withNotes(output, all);
}

function withLineEnd(text: string, more: boolean): string {
  return text === "" || text.endsWith("\n") || !more ? text : `${text}\n`;
}

async function startBackground(
  command: string,
  environment: Readonly<Record<string, string>>,
  { background }: ToolContext,
): Promise<string> {
  if (background === undefined) {
    throw new ToolError(
      "refused",
      "background: true was refused: nothing here can keep a command going after its call. Run it without, with a timeout.",
      { reason: "no background" },
    );
  }
  const started = await background.start(command, { environment });
  const ended = started.running ? [] : [endedText(started)];
  return withNotes(terminalText(started.preview), [
    `Started in the background as ${started.id}.`,
    ...ended,
    `{"action": "output", "id": ${JSON.stringify(started.id)}} of process shows its output, "stop" ends it.`,
  ]);
}

function usage(argument: string, problem: string): ToolError<"usage"> {
  return new ToolError("usage", `${problem}.`, { argument });
}
