import type { Command } from "commander";
import type { Runs } from "./command-action.js";
import type { ExportFlags } from "./commands/sessions/export.js";
import type { ForkFlags } from "./commands/sessions/fork.js";
import type { ImportFlags } from "./commands/sessions/import.js";
import type { ListFlags } from "./commands/sessions/list.js";
import type { SearchFlags } from "./commands/sessions/search.js";
import type { ShowFlags } from "./commands/sessions/show.js";
import type { TreeFlags } from "./commands/sessions/tree.js";
import type { Terminal } from "./terminal.js";

const ID = "its id, the start of it, or latest";

/** `ashlar sessions …`: what was said is kept, and these work on it. */
export function addSessionCommands(program: Command, terminal: Terminal, runs: Runs): void {
  const sessions = program.command("sessions").description("list, read, search and move kept conversations");
  addReading(sessions, terminal, runs);
  addChanging(sessions, terminal, runs);
  addMoving(sessions, terminal, runs);
}

function addReading(sessions: Command, terminal: Terminal, runs: Runs): void {
  sessions
    .command("list")
    .description("list the sessions of this project, newest first")
    .option("--all", "those of all projects")
    .option("--children", "also those of workers that an agent started")
    .option("--limit <count>", "at most so many; default 50")
    .option("--json", "one JSON object a line")
    .action(
      runs(async (flags: ListFlags) =>
        (await import("./commands/sessions/list.js")).listCommand(terminal, flags),
      ),
    );
  sessions
    .command("show")
    .description("print a conversation")
    .argument("<id>", ID)
    .option("--limit <count>", "only the last so many messages")
    .option("--full", "tool output and arguments whole")
    .option("--branches", "also other lanes, and what was left behind")
    .option("--json", "what it is, then each message, one JSON object a line")
    .action(
      runs(async (id: string, flags: ShowFlags) =>
        (await import("./commands/sessions/show.js")).showCommand(terminal, id, flags),
      ),
    );
  sessions
    .command("tree")
    .description("print the sessions under those they came from, or the branches of one")
    .argument("[id]", ID)
    .option("--all", "those of all projects")
    .option("--limit <count>", "at most so many sessions; default 200")
    .option("--json", "one JSON object a line: each session or branch, with how deep it stands")
    .action(
      runs(async (id: string | undefined, flags: TreeFlags) =>
        (await import("./commands/sessions/tree.js")).treeCommand(terminal, id, flags),
      ),
    );
  sessions
    .command("search")
    .description("find where all these words were said, best first")
    .argument("<words...>", "in any case, also inside other words")
    .option("--all", "in all projects")
    .option("--limit <count>", "at most so many; default 20")
    .option("--json", "one JSON object a line")
    .action(
      runs(async (words: string[], flags: SearchFlags) =>
        (await import("./commands/sessions/search.js")).searchCommand(terminal, words, flags),
      ),
    );
}

function addChanging(sessions: Command, terminal: Terminal, runs: Runs): void {
  sessions
    .command("rename")
    .description("name a session")
    .argument("<id>", ID)
    .argument("[name...]", "what people call it")
    .option("--none", "take the name away")
    .action(
      runs(async (id: string, words: string[], flags: { none?: true }) =>
        (await import("./commands/sessions/rename.js")).renameCommand(terminal, {
          id,
          words,
          none: flags.none === true,
        }),
      ),
    );
  sessions
    .command("delete")
    .description("delete sessions for good, without asking")
    .argument("<ids...>", "their ids, or the start of each")
    .action(
      runs(async (ids: string[]) =>
        (await import("./commands/sessions/delete.js")).deleteCommand(terminal, ids),
      ),
    );
  sessions
    .command("repair")
    .description("write a damaged session anew from what can be read; the original is kept")
    .argument("[id]", `${ID}; none where the store is one database`)
    .action(
      runs(async (id: string | undefined) =>
        (await import("./commands/sessions/repair.js")).repairCommand(terminal, id),
      ),
    );
}

function addMoving(sessions: Command, terminal: Terminal, runs: Runs): void {
  sessions
    .command("fork")
    .description("copy a session, of any project, into this one; prints the new id")
    .argument("<id>", ID)
    .option("--entry <entry>", "the entry where the copy ends; default: where the conversation stands")
    .option("--before", "leave that entry out")
    .option("--tree", "all branches instead of one")
    .option("--id <id>", "the id of the copy")
    .option("--name <name>", "the name of the copy")
    .action(
      runs(async (id: string, flags: ForkFlags) =>
        (await import("./commands/sessions/fork.js")).forkCommand(terminal, id, flags),
      ),
    );
  sessions
    .command("export")
    .description("write a session as Markdown, as one HTML page, or as JSON that import reads")
    .argument("<id>", ID)
    .option("--markdown", "Markdown; the default, unless the file's name says otherwise")
    .option("--html", "one page that loads nothing")
    .option("--json", "everything, for import")
    .option("--branches", "also other lanes and what was left behind; in JSON they always are")
    .option("-o, --output <file>", "the file; default, and -: standard output")
    .option("--force", "replace a file that is there")
    .action(
      runs(async (id: string, flags: ExportFlags) =>
        (await import("./commands/sessions/export.js")).exportCommand(terminal, id, flags),
      ),
    );
  sessions
    .command("import")
    .description("take in a session that export --json wrote; prints its id")
    .argument("<file>", "the file, or - for stdin")
    .option("--id <id>", "keep it under another id")
    .option("--force-new", "keep it under a new id")
    .option("--here", "make it a session of this project")
    .action(
      runs(async (file: string, flags: ImportFlags) =>
        (await import("./commands/sessions/import.js")).importCommand(terminal, file, flags),
      ),
    );
}
