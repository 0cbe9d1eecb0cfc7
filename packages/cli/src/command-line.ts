import { Command, CommanderError } from "commander";
import type { Action, Runs } from "./command-action.js";
import type { AgentFlags, RequestFlags } from "./commands/request-flags.js";
import { addContentCommands } from "./content-commands.js";
import { addJobsCommands } from "./jobs-commands.js";
import { reportFailure } from "./report-failure.js";
import { addSessionCommands } from "./session-commands.js";
import type { Terminal } from "./terminal.js";

const USAGE_EXIT_CODE = 1;

const EXIT_CODES = `
Exit codes: 0 success, 1 usage or other, 2 credentials, 3 network, 4 provider, 5 malformed input,
            6 budget or loop, 7 refused (sandbox or permission), 130 cancelled`;

/** Runs the named command; resolves with its exit code. */
export async function runCommandLine(args: readonly string[], terminal: Terminal): Promise<number> {
  const outcome = { code: 0 };
  const program = commandTable(terminal, outcome);
  try {
    await program.parseAsync([...args], { from: "user" });
    return outcome.code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE_EXIT_CODE;
    return reportFailure(error, terminal);
  }
}

function commandTable(terminal: Terminal, outcome: { code: number }): Command {
  const program = new Command("ashlar")
    .description("Runs LLM agents that can be trusted with a real folder.")
    .option("-V, --version", "print the version")
    .exitOverride()
    .showHelpAfterError("(ashlar --help lists the commands)")
    .showSuggestionAfterError()
    .configureOutput({ writeOut: terminal.out.write, writeErr: terminal.err.write })
    .addHelpText("after", EXIT_CODES)
    .enablePositionalOptions();
  const runs =
    <Args extends readonly unknown[]>(action: Action<Args>) =>
    async (...args: Args): Promise<void> => {
      outcome.code = await action(...args);
    };
  addRequestCommands(program, terminal, runs);
  addSessionCommands(program, terminal, runs);
  addCatalogueCommands(program, terminal, runs);
  addProjectCommands(program, terminal, runs);
  addJobsCommands(program, terminal, runs);
  return program;
}

function addRequestFlags(command: Command): Command {
  return command
    .option("-m, --model <endpoint/model>", "the model to use; default: the last one used in this project")
    .option("--url <url>", "base URL of the endpoint, for this run")
    .option("--token <key>", "credential of the endpoint, for this run; never stored")
    .option("--timeout <duration>", "limit on one request, such as 90s or 5m")
    .option("--think <level>", "none, minimal, low, medium, high, xhigh or max")
    .option(
      "--set <key=value>",
      "a setting for this run, such as budget.requests=20; may be repeated",
      collect,
      [],
    );
}

const collect = (value: string, earlier: readonly string[]): readonly string[] => [...earlier, value];

function addRequestCommands(program: Command, terminal: Terminal, runs: Runs): void {
  addRequestFlags(
    program.command("agent").description("run the tool loop on a prompt; one JSON event a line on stdout"),
  )
    .argument("[prompt...]", "the prompt; default: read from stdin")
    .option("--tools <names>", "tools the model may use, separated by commas; default: all")
    .option("--tool-timeout <duration>", "limit on one tool call")
    .option("--read-only", "refuse every tool that could change something")
    .option("--no-network", "let no tool call in the sandbox reach the network, whatever the settings say")
    .option("--workers", "let the model make workers below it, under the same budget, without asking")
    .option("--schema", "print the JSON Schema of the event lines and exit")
    .option("--session <id>", "go on with this session by id or name, or begin it")
    .option("--resume [id]", "go on with a session: its id, the start of it, or latest, the default")
    .option("--no-session", "keep nothing of this conversation")
    .action(
      runs(async (prompt: string[], flags: AgentFlags) => {
        const { agentCommand } = await import("./commands/agent.js");
        return agentCommand(terminal, prompt, flags);
      }),
    );
  addRequestFlags(
    program.command("io").description("send one request and run no tool; one JSON event a line on stdout"),
  )
    .argument("[prompt...]", "the prompt; default: read from stdin")
    .action(
      runs(async (prompt: string[], flags: RequestFlags) => {
        const { ioCommand } = await import("./commands/io.js");
        return ioCommand(terminal, prompt, flags);
      }),
    );
  program
    .command("tool")
    .description("list the tools, or call one")
    .argument("[name]", "the tool; default: list them")
    .argument("[arguments...]", "JSON, or key:value pairs")
    .option("--list", "list the tools, secret ones too")
    .helpOption(false)
    .option("-h, --help", "the tool's description and schema, or this help")
    .action(
      runs(
        async (
          name: string | undefined,
          rest: string[],
          flags: { list?: true; help?: true },
          command: Command,
        ) => {
          if (flags.help && !name) command.help();
          const { toolCommand } = await import("./commands/tool.js");
          return toolCommand(terminal, {
            name: flags.list ? undefined : name,
            args: rest,
            describe: flags.help === true,
          });
        },
      ),
    );
}

function addCatalogueCommands(program: Command, terminal: Terminal, runs: Runs): void {
  program
    .command("models")
    .description("list the models of all endpoints")
    .option("--all", "hidden and disabled ones too")
    .option("--json", "one JSON object a line")
    .action(
      runs(async (flags: { all?: true; json?: true }) => {
        const { modelsCommand } = await import("./commands/models.js");
        return modelsCommand(terminal, flags);
      }),
    );
  program
    .command("login")
    .description("store credentials for an endpoint, after they were tested")
    .argument("<endpoint>", "its name, such as openai")
    .option("--url <url>", "base URL; default: the known one of that name")
    .option("--provider <protocol>", "protocol it speaks, such as openai-chat")
    .option("--token <key>", "the credential; default: the first line of stdin")
    .option("--project", "store it in this project's ai-auth-<endpoint>.json instead of for the user")
    .action(
      runs(
        async (
          endpoint: string,
          flags: { url?: string; provider?: string; token?: string; project?: true },
        ) => {
          const { loginCommand } = await import("./commands/login.js");
          return loginCommand(terminal, endpoint, flags);
        },
      ),
    );
  program
    .command("logout")
    .description("forget an endpoint's credentials")
    .argument("<endpoint>")
    .action(
      runs(async (endpoint: string) => {
        const { logoutCommand } = await import("./commands/logout.js");
        return logoutCommand(terminal, endpoint);
      }),
    );
}

function addProjectCommands(program: Command, terminal: Terminal, runs: Runs): void {
  program
    .command("init")
    .description("write an ai-settings.json with every setting as a comment")
    .option("--force", "overwrite one that is there")
    .action(
      runs(async (flags: { force?: true }) => {
        const { initCommand } = await import("./commands/init.js");
        return initCommand(terminal, flags);
      }),
    );
  addContentCommands(program, terminal, runs);
  addTrustCommands(program, terminal, runs);
  program
    .command("doctor")
    .description("say what works here, what does not, and what to do")
    .action(
      runs(async () => {
        const { doctorCommand } = await import("./commands/doctor.js");
        return doctorCommand(terminal);
      }),
    );
}

function addTrustCommands(program: Command, terminal: Terminal, runs: Runs): void {
  program
    .command("sandbox")
    .description("run a command as a tool's call would run: only this folder can be changed")
    .argument("[command...]", "the command, behind --")
    .option("--read-only", "change nothing at all")
    .passThroughOptions()
    .action(
      runs(async (command: string[], flags: { readOnly?: true }) => {
        const { sandboxCommand } = await import("./commands/sandbox.js");
        return sandboxCommand(terminal, command, flags);
      }),
    );
  program
    .command("undo")
    .description("put back the files that a tool call changed")
    .argument("[call]", "its id; default: the last one that can be undone")
    .option("--list", "list what tools changed here")
    .action(
      runs(async (call: string | undefined, flags: { list?: true }) => {
        const { undoCommand } = await import("./commands/undo.js");
        return undoCommand(terminal, call, flags);
      }),
    );
  program
    .command("tools2bash")
    .description("write a shell command for each tool")
    .action(
      runs(async () => {
        const { tools2bashCommand } = await import("./commands/tools2bash.js");
        return tools2bashCommand(terminal);
      }),
    );
}
