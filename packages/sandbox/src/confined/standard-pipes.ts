import { execFile } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
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

function readEnd(path: string): { readonly host: Socket; readonly child: number } {
  const reader = openSync(path, O_RDONLY | O_NONBLOCK);
  const child = openSync(path, O_WRONLY);
  return { host: new Socket({ fd: reader, readable: true, writable: false }), child };
}

function writeEnd(path: string): { readonly host: Socket; readonly child: number } {
  // A writer can be opened only while there is a reader, and the child's must be one that waits.
  const first = openSync(path, O_RDONLY | O_NONBLOCK);
  const writer = openSync(path, O_WRONLY | O_NONBLOCK);
  const child = openSync(path, O_RDONLY);
  closeSync(first);
  return { host: new Socket({ fd: writer, readable: false, writable: true }), child };
}

function open(folder: string, hasInput: boolean): StandardPipes {
  const input = hasInput ? writeEnd(join(folder, "0")) : undefined;
  const stdout = readEnd(join(folder, "1"));
  const stderr = readEnd(join(folder, "2"));
  const ends = [input?.child, stdout.child, stderr.child].filter((end) => end !== undefined);
  return {
    child: [input?.child ?? null, stdout.child, stderr.child],
    input: input?.host,
    stdout: stdout.host,
    stderr: stderr.host,
    closeChildEnds: () => {
      for (const end of ends.splice(0)) closeSync(end);
    },
  };
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
  try {
    const names = hasInput ? ["0", "1", "2"] : ["1", "2"];
    await execute(program, ["-m", "600", ...names], { cwd: folder, env: {} });
    return open(folder, hasInput);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
