// The agent changes a copy of a repository and runs its checks, and `ashlar undo` takes the change back, as git confirms.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ashlar, indent, tellRun } from "./demo-story.mjs";
import { root } from "./steps.mjs";

/** The model that plays SCRIPT. */
export const SCRIPTED_MODEL = "test/demo";
const PROMPT =
  'What is this project called? Read the first lines of README.md, rename its section "Guides" to "Read on", run `node scripts/documents.mjs --check`, and quote what you saw.';
/** What the model says is fixed, but for the quotes: they are what the tools returned. */
const SCRIPT = [
  [
    { thinking: "I read README.md first." },
    { toolCall: { name: "read", arguments: { path: "README.md", limit: 3 } } },
  ],
  {
    toolCall: {
      name: "edit",
      arguments: { path: "README.md", edits: [{ oldText: "\n## Guides\n", newText: "\n## Read on\n" }] },
    },
  },
  { toolCall: { name: "bash", arguments: { command: "node scripts/documents.mjs --check" } } },
  {
    text: [
      "The first line of README.md is: ",
      { result: "read" },
      "\nThe edit: ",
      { result: "edit" },
      "\nThe check: ",
      { result: "bash", line: -1 },
    ],
  },
];
const REFUSED = 7;
const NO_SANDBOX = "no sandbox:";

function run(command, args, options) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", ...options });
  const output = `${stdout ?? ""}${stderr ?? ""}`;
  if (error === undefined) return { code: status ?? 1, output };
  return { code: 1, output: error.code === "ENOENT" ? `${command} is not installed` : error.message };
}

/** Undefined, or why there is no copy: no git, or a folder that is no repository. */
function cannotCopy(repository, folder) {
  // Linked object files would let a command in the copy change the original.
  const { code, output } = run("git", ["clone", "--quiet", "--no-hardlinks", repository, folder]);
  return code === 0 && existsSync(folder) ? undefined : output.trim();
}

/** Settings, state and the undo journal of the scripted run go with the copy; a real model is the user's own business. */
function circumstances(model, base, environment) {
  if (model !== SCRIPTED_MODEL) return { environment, flags: [] };
  const home = join(base, "home");
  mkdirSync(home);
  return {
    environment: { ...environment, ASHLAR_HOME: home },
    flags: ["--set", `providers.test.script=${JSON.stringify(SCRIPT)}`],
  };
}

/** Tells what git sees. True when it sees no change. */
function tellStatus(folder, write) {
  const { code, output } = run("git", ["status", "--porcelain"], { cwd: folder });
  write(`\n$ git status --porcelain\n${output === "" ? "    (nothing)" : indent(output)}\n`);
  return code === 0 && output === "";
}

/** Undoes each call that made a change, the last one first. True when all that was done. */
function tellUndo({ folder, environment, changes, write }) {
  for (let left = changes; left > 0; left -= 1) {
    const { code, output } = run(process.execPath, [ashlar, "undo"], { cwd: folder, env: environment });
    write(`\n$ ashlar undo\n${indent(output)}\n`);
    if (code !== 0) return false;
  }
  return true;
}

function tellEnd({ exitCode, changes, refused }, { model, folder, environment, write }) {
  const readOnly = exitCode === REFUSED && refused.every(({ reason }) => reason.startsWith(NO_SANDBOX));
  if (readOnly) {
    const names = refused.map(({ tool }) => tool).join(" and ");
    write(`\nThe run ended with exit code 7: calls of ${names} were refused, because they could change something
and nothing here could confine them. An agent only reads then; there is no switch that changes this.
The reason was: ${refused[0]?.reason.slice(NO_SANDBOX.length).trim()}\n`);
  } else if (exitCode !== 0) return exitCode;
  const untouched = tellStatus(folder, write);
  if (untouched) {
    write("\nNothing was changed.\n");
    // A real model may have its reasons; the script has none.
    return readOnly || model !== SCRIPTED_MODEL ? 0 : 1;
  }
  const undone = tellUndo({ folder, environment, changes, write });
  if (tellStatus(folder, write) && undone) {
    write("\nThe copy is again what it was before the run.\n");
    return 0;
  }
  write("\nWhat git still sees was changed by something that cannot be undone, such as a command of bash.\n");
  return 1;
}

/**
 * Tells the whole demo on a copy of `repository`, which is removed afterwards. Resolves with the exit code: 0 also where
 * no sandbox works and the agent could only read. `noCopy` says why there could be no copy; then nothing was run.
 */
export async function tellChange({ model, repository = root, environment = process.env, write }) {
  const base = mkdtempSync(join(tmpdir(), "ashlar-demo-"));
  // The run gets the interrupt of the terminal too and ends by itself; the copy has to be removed after it.
  const wait = () => undefined;
  process.on("SIGINT", wait);
  try {
    const folder = join(base, "copy");
    const noCopy = cannotCopy(repository, folder);
    if (noCopy !== undefined) return { noCopy };
    const around = circumstances(model, base, environment);
    const run = await tellRun({ model, folder, prompt: PROMPT, ...around, write });
    return { exitCode: tellEnd(run, { model, folder, environment: around.environment, write }) };
  } finally {
    process.off("SIGINT", wait);
    rmSync(base, { recursive: true, force: true });
  }
}
