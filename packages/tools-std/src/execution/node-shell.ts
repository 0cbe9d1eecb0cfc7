import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import type { Shell, ShellExit, ShellOptions } from "@ashlar/context/tool";
import { groupLives, terminateGroup } from "./process-group.js";

const BASH_ARGUMENTS = ["--noprofile", "--norc", "-c"] as const;
/** How long output is waited for once the shell has ended. */
const DRAIN_MS = 250;
const POLL_MS = 20;

/** The shell of this machine: bash without start-up files, in a session of its own, so that it has no terminal. */
export const nodeShell: Shell = { run: runShell };

async function runShell(command: string, options: ShellOptions): Promise<ShellExit> {
  options.signal.throwIfAborted();
  const child = spawn("bash", [...BASH_ARGUMENTS, command], {
    cwd: options.cwd,
    env: environmentOf(options),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
    windowsHide: true,
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const ended = exitOf(child);
  listen(child, options);
  const { pid } = child;
  if (pid === undefined) return ended;
  const abort = watchAbort(options.signal, pid);
  try {
    const exit = await ended;
    const outputOpen = await drain(pid, closed);
    if (outputOpen && !options.signal.aborted) await terminateGroup(pid);
    return { ...exit, outputOpen };
  } finally {
    await abort.settled();
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

function environmentOf({ environment }: ShellOptions): NodeJS.ProcessEnv {
  // bash reads the file that BASH_ENV names before every command.
  const { BASH_ENV: _, ...host } = process.env;
  return { ...host, ...environment };
}

function exitOf(child: ChildProcess): Promise<ShellExit> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, signal) => resolve({ exitCode, signal }));
  });
}

function listen(child: ChildProcess, { onOutput }: ShellOptions): void {
  for (const name of ["stdout", "stderr"] as const) {
    const stream = child[name];
    stream?.on("data", (bytes: Buffer) => onOutput(name, bytes));
    // Whoever ends first, a broken pipe at the end of a command is no failure of it; the exit tells.
    stream?.on("error", () => undefined);
    // Node's pipes carry both ways; without this a program that reads from its output would wait for ever.
    if (stream instanceof Socket) stream.end();
  }
}

/** Waits until nobody holds the pipes and the group is gone. True when somebody is still there after a moment. */
async function drain(pid: number, closed: Promise<void>): Promise<boolean> {
  const end = Date.now() + DRAIN_MS;
  let open = true;
  void closed.then(() => {
    open = false;
  });
  while (Date.now() < end) {
    await Promise.race([closed, sleep(POLL_MS)]);
    if (!open && !groupLives(pid)) return false;
    if (!open) await sleep(POLL_MS);
  }
  // A machine under load may have slept through all that time: what the pipes hold is read before they are let go.
  await setImmediate();
  await setImmediate();
  return open || groupLives(pid);
}

interface AbortWatch {
  readonly settled: () => Promise<void>;
}

/** Ends the group when the call is aborted, and waits for that when the shell has ended. */
function watchAbort(signal: AbortSignal, pid: number): AbortWatch {
  let terminated: Promise<void> | undefined;
  const onAbort = (): void => {
    terminated ??= terminateGroup(pid);
  };
  signal.addEventListener("abort", onAbort, { once: true });
  return {
    settled: async () => {
      signal.removeEventListener("abort", onAbort);
      await terminated;
    },
  };
}
