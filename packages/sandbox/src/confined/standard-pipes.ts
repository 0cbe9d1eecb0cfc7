import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, realpath, rmdir, unlink } from "node:fs/promises";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { findProgram } from "../find-program.js";
import { SandboxError } from "../sandbox-error.js";

/*
 * Node gives a child sockets for pipes. Through a socket `/dev/stdout` and `/dev/stderr` cannot be opened, and bash
 * takes a socket as input for a remote login and reads `.bashrc`. Real pipes come from named ones, which are gone from
 * the file system before anything is started.
 */

export interface StandardPipes {
  /** The child's ends of stdin, stdout and stderr; null: no input. */
  readonly child: readonly [input: number | null, output: number, errors: number];
  readonly input: Socket | undefined;
  readonly stdout: Socket;
  readonly stderr: Socket;
  /** To be called when the child has its ends: until then the streams do not end. */
  readonly closeChildEnds: () => void;
}

const { O_NONBLOCK, O_RDONLY, O_WRONLY } = constants;
const USUAL_FOLDERS = "/usr/bin:/bin";
const execute = promisify(execFile);

/** Opens named pipes, and closes all of them again when one cannot be opened. */
class Opener {
  readonly #folder: string;
  readonly #open: number[] = [];

  constructor(folder: string) {
    this.#folder = folder;
  }

  open(name: string, flags: number): number {
    const descriptor = openSync(join(this.#folder, name), flags);
    this.#open.push(descriptor);
    return descriptor;
  }

  close(descriptor: number): void {
    closeSync(descriptor);
    this.#open.splice(this.#open.indexOf(descriptor), 1);
  }

  closeAll(): void {
    for (const descriptor of this.#open.splice(0)) closeSync(descriptor);
  }
}

/** What the host reads: a writer can be opened only while there is a reader. */
const readEnds = (opener: Opener, name: string): { readonly host: number; readonly child: number } => ({
  host: opener.open(name, O_RDONLY | O_NONBLOCK),
  child: opener.open(name, O_WRONLY),
});

function writeEnds(opener: Opener, name: string): { readonly host: number; readonly child: number } {
  const first = opener.open(name, O_RDONLY | O_NONBLOCK);
  const host = opener.open(name, O_WRONLY | O_NONBLOCK);
  // The child's must be a reader that waits, which the first is not.
  const child = opener.open(name, O_RDONLY);
  opener.close(first);
  return { host, child };
}

function open(folder: string, hasInput: boolean): StandardPipes {
  const opener = new Opener(folder);
  try {
    const input = hasInput ? writeEnds(opener, "0") : undefined;
    const stdout = readEnds(opener, "1");
    const stderr = readEnds(opener, "2");
    const ends = [input?.child, stdout.child, stderr.child].filter((end) => end !== undefined);
    return {
      child: [input?.child ?? null, stdout.child, stderr.child],
      input: input && new Socket({ fd: input.host, readable: false, writable: true }),
      stdout: new Socket({ fd: stdout.host, readable: true, writable: false }),
      stderr: new Socket({ fd: stderr.host, readable: true, writable: false }),
      closeChildEnds: () => {
        for (const end of ends.splice(0)) closeSync(end);
      },
    };
  } catch (error) {
    opener.closeAll();
    throw error;
  }
}

export async function openStandardPipes(hasInput: boolean): Promise<StandardPipes> {
  const program = findProgram("mkfifo", `${process.env.PATH ?? ""}:${USUAL_FOLDERS}`);
  if (program === undefined)
    throw new SandboxError(
      "start",
      "The program mkfifo, which makes pipes, is not on PATH; it is part of coreutils.",
      {},
    );
  const folder = await mkdtemp(join(await realpath(tmpdir()), "ashlar-pipes-"));
  const names = hasInput ? ["0", "1", "2"] : ["1", "2"];
  try {
    await execute(program, ["-m", "600", ...names], { cwd: folder, env: {} });
    return open(folder, hasInput);
  } finally {
    // `rm` would look at the pipes first; after a look at a pipe, Node before 24 takes the next module that is reached
    // through a link for a file at the link's own path, and what that module imports is not found there.
    await Promise.allSettled(names.map((name) => unlink(join(folder, name))));
    await rmdir(folder);
  }
}
