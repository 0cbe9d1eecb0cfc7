import { createRequire } from "node:module";
import { outputText, type RunResult, type SandboxPolicy, worker } from "@ashlar/sandbox";
import { moduleFolder } from "../isolation/module-folders.js";
import type { PackRequest } from "./pack-message.js";
import type { Playground } from "./playground.js";

/** Beyond the limit that the process keeps itself: one that is blocked is ended. */
const GRACE_MS = 5_000;
const OUTPUT_BYTES = 64 * 1024;
const FILE_BYTES = 256 * 1024 * 1024;
const INHERITED = ["PATH", "LANG", "LC_ALL", "TZ"] as const;

export interface PackProcessOptions {
  readonly playground: Playground;
  /** May the process write in the playground? It writes nowhere else on disk in any case. */
  readonly writable: boolean;
  readonly network: "none" | "full";
}

/** How a process of the kit ended. */
export interface PackRun {
  /** Undefined: it ended without one. */
  readonly reply: unknown;
  /** What the code under test printed. */
  readonly printed: string;
  /** Why there is no reply. */
  readonly ending: string;
}

/** Runs one request in the sandbox. Rejects with a `SandboxError` when none works. */
export async function runPackProcess(request: PackRequest, options: PackProcessOptions): Promise<PackRun> {
  let hear: (reply: { readonly value: unknown }) => void = () => undefined;
  const heard = new Promise<{ readonly value: unknown }>((resolve) => {
    hear = resolve;
  });
  const started = await worker(packWorker(), policyOf(request, options), {
    onMessage: (value) => hear({ value }),
  });
  started.send(request);
  const first = await Promise.race([heard, started.exited]);
  const result = await started.close();
  return {
    reply: "value" in first ? first.value : undefined,
    printed: printedText(result),
    ending: endingText(result),
  };
}

/** By its own name, so that it is the built program also when this file runs from the sources. */
function packWorker(): string {
  return createRequire(import.meta.url).resolve("@ashlar/agent/testing/pack-worker");
}

function policyOf(
  request: PackRequest,
  { playground, writable, network }: PackProcessOptions,
): SandboxPolicy {
  const inherited = INHERITED.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    writeRoots: writable ? [playground.root] : [],
    readable: [...new Set([playground.root, moduleFolder(request.file), moduleFolder(packWorker())])].filter(
      (folder) => !writable || folder !== playground.root,
    ),
    network,
    environment: {
      ...Object.fromEntries(inherited),
      HOME: playground.home,
      TMPDIR: "/tmp",
      ASHLAR_TOOL_WORKER: "1",
    },
    cwd: playground.agentFolder,
    limits: {
      timeMs: request.limitMs + GRACE_MS,
      outputBytes: OUTPUT_BYTES,
      fileBytes: FILE_BYTES,
    },
  };
}

function printedText({ stdout, stderr }: RunResult): string {
  return [stdout, stderr].map(outputText).join("");
}

function endingText({ outcome, exitCode, signal }: RunResult): string {
  if (outcome !== "exited") return `its process was ended: ${outcome}`;
  return `its process ended with ${signal ?? `code ${exitCode ?? "unknown"}`} before it answered`;
}
