import { createRequire } from "node:module";
import type { Probe, RunResult, SandboxPolicy, SandboxWorker } from "@ashlar/sandbox";
import type { ProcessEnd, ToolProcess } from "../worker/tool-process.js";
import type { IsolationPolicy } from "./isolation-policy.js";
import { moduleFolder } from "./module-folders.js";

/** The longest message either way: a result of 16 MiB of bytes in base64, with room. */
const MAX_LINE_BYTES = 48 * 1024 * 1024;
/** Kept of what a tool prints, for the message when its process fails. */
const OUTPUT_BYTES = 16 * 1024;

/** By its own name, so that it is the built program also when this file runs from the sources. */
function toolWorker(): string {
  return createRequire(import.meta.url).resolve("@ashlar/agent/tool-worker");
}

/** The sandbox's policy for tools of these modules: they and what they need have to be visible. */
export function sandboxPolicy(
  policy: IsolationPolicy,
  visible: readonly string[],
  modules: readonly string[],
): SandboxPolicy {
  const { limits, ...rest } = policy;
  const { memoryBytes, ...bounds } = limits;
  const programs = [...modules, toolWorker()].map(moduleFolder);
  return {
    ...rest,
    readable: [...new Set([policy.cwd, ...visible, ...programs])],
    limits: {
      ...bounds,
      timeMs: null,
      outputBytes: OUTPUT_BYTES,
      ...(memoryBytes !== undefined && { memoryBytes }),
    },
  };
}

/** Starts a process that waits for its request. Rejects with a `SandboxError`. */
export async function startToolProcess(policy: SandboxPolicy, probe: Probe): Promise<ToolProcess> {
  const { isSandboxError, worker } = await import("@ashlar/sandbox");
  let listener: (message: unknown) => void = () => undefined;
  let over = false;
  const start = (): Promise<SandboxWorker> =>
    worker(toolWorker(), policy, {
      onMessage: (message) => listener(message),
      maxLineBytes: MAX_LINE_BYTES,
      probe,
    });
  const started = await start().catch((error: unknown) => {
    // A file that was replaced just then lost its mount; that does not happen twice in a row.
    if (isSandboxError(error) && error.kind === "weak") return start();
    throw error;
  });
  const ended = started.exited.then((result) => {
    over = true;
    return endOf(result);
  });
  return {
    send: (message) => started.send(message),
    listen: (given) => {
      listener = given;
    },
    ended,
    isOver: () => over,
    end: async () => {
      // Whoever waits for the end must not find the program over before it.
      started.ref();
      await started.close();
      return ended;
    },
    unref: () => started.unref(),
    ref: () => started.ref(),
  };
}

function endOf({ outcome, exitCode, signal, stderr }: RunResult): ProcessEnd {
  const ways = { exited: "exited", memory: "memory", cancelled: "ended", "timed-out": "ended" } as const;
  return { outcome: ways[outcome], exitCode, signal, stderr: new TextDecoder().decode(stderr.head) };
}
