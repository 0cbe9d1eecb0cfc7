import { parseArgs } from "node:util";
import { behaviours } from "./behaviours/table.js";
import { type RunningLLM, startFakeLLM } from "./start.js";

const HIGHEST_PORT = 65_535;

/** What the command needs of its process. */
export interface CommandHost {
  readonly stdout: (line: string) => void;
  readonly stderr: (line: string) => void;
  /** Settles when the process is told to stop. */
  readonly stopped: Promise<void>;
}

/** `fake-llm`: serves until it is stopped. Resolves with the exit code. */
export async function fakeLLMCommand(args: readonly string[], host: CommandHost): Promise<number> {
  const options = readArguments(args);
  if (typeof options === "string") {
    host.stderr(`fake-llm: ${options}\nRun fake-llm --help for what is possible.`);
    return 1;
  }
  if (options.help) {
    host.stdout(help());
    return 0;
  }
  const server = await startOrExplain(options, host);
  if (server === undefined) return 1;
  host.stdout(`${server.url} models: ${behaviours.map(({ name }) => name).join(" ")}`);
  await host.stopped;
  await server.close();
  return 0;
}

interface Arguments {
  readonly help: boolean;
  readonly host: string;
  readonly port: number;
}

/** The arguments, or what is wrong with them. */
function readArguments(args: readonly string[]): Arguments | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: { help: { type: "boolean", short: "h" }, host: { type: "string" }, port: { type: "string" } },
    });
    const port = Number(values.port ?? 0);
    if (!Number.isInteger(port) || port < 0 || port > HIGHEST_PORT || values.port === "") {
      return `--port: wanted a number from 0 to ${HIGHEST_PORT}, found "${values.port}"`;
    }
    return { help: values.help === true, host: values.host ?? "127.0.0.1", port };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function startOrExplain(options: Arguments, host: CommandHost): Promise<RunningLLM | undefined> {
  try {
    return await startFakeLLM({ port: options.port, host: options.host });
  } catch (error) {
    host.stderr(
      `fake-llm: cannot listen on ${options.host}:${options.port}: ${error instanceof Error ? error.message : error}`,
    );
    return undefined;
  }
}

function help(): string {
  const width = Math.max(...behaviours.map(({ name }) => name.length));
  return [
    "Usage: fake-llm [--port N] [--host ADDRESS]",
    "",
    "Serves scripted models on Ollama's wire (/api/*) and both OpenAI wires (/v1/*) until it is stopped.",
    "",
    "Options:",
    "  --port N         a free port unless given; the first line of output names it",
    "  --host ADDRESS   default: 127.0.0.1",
    "  --help           this text",
    "",
    "Models:",
    ...behaviours.map(({ name, about }) => `  ${name.padEnd(width)}  ${about}`),
  ].join("\n");
}
