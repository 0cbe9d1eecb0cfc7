import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const binary = fileURLToPath(new URL("../bin/ashlar.js", import.meta.url));

/** A project folder with a home of its own, so that no test sees the machine's settings. */
export interface Project {
  readonly folder: string;
  readonly home: string;
  readonly write: (file: string, text: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

export async function createProject(): Promise<Project> {
  const base = await mkdtemp(join(tmpdir(), "ashlar cli-"));
  const folder = join(base, "project");
  const home = join(base, "home");
  const write = async (file: string, text: string): Promise<void> => {
    const { mkdir } = await import("node:fs/promises");
    const path = join(folder, file);
    await mkdir(join(path, ".."), { recursive: true });
    await writeFile(path, text);
  };
  await write("README.md", "# Stone bridge\n");
  return { folder, home, write, remove: () => rm(base, { recursive: true, force: true }) };
}

export interface RunOptions {
  readonly project: Project;
  /** Written to stdin, which is then closed; `open` leaves it open; absent: closed at once. */
  readonly input?: string | Buffer | "open";
  readonly environment?: Readonly<Record<string, string>>;
  readonly nodeArgs?: readonly string[];
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Only what a command needs, so that keys of the machine never leak into a test. */
function environmentOf({ project, environment }: RunOptions): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, HOME: project.home, ASHLAR_HOME: project.home, ...environment };
}

export function start(args: readonly string[], options: RunOptions): ChildProcess {
  return spawn(process.execPath, [...(options.nodeArgs ?? []), binary, ...args], {
    cwd: options.project.folder,
    env: environmentOf(options),
    stdio: ["pipe", "pipe", "pipe"],
  });
}

export async function finish(child: ChildProcess): Promise<Finished> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
}

/** Runs one command line to its end. */
export async function ashlar(args: readonly string[], options: RunOptions): Promise<Finished> {
  const child = start(args, options);
  const finished = finish(child);
  // The command may end before it read everything.
  child.stdin?.on("error", () => undefined);
  if (options.input !== "open") child.stdin?.end(options.input ?? "");
  return finished;
}

export interface StreamLine {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** The JSON lines of a run, split on 0x0A alone. */
export function linesOf(stdout: string): readonly StreamLine[] {
  if (!stdout.endsWith("\n"))
    throw new Error(`stdout does not end in a line feed: ${JSON.stringify(stdout.slice(-80))}`);
  return stdout
    .slice(0, -1)
    .split("\n")
    .map((line) => JSON.parse(line));
}
