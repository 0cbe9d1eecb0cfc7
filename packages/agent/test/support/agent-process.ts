import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { AgentOpenOptions } from "@ashlar/agent";
import type { RunningLLM } from "@ashlar/testing";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import { temporaryFolder } from "./open-agent.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The program `test/session/programs/agent-process.ts`, bundled from the sources. */
export async function bundleAgentProcess(file: string): Promise<void> {
  await build({
    entryPoints: [join(root, "packages/agent/test/session/programs/agent-process.ts")],
    outfile: file,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    tsconfig: join(root, "tsconfig.json"),
    // Some of what is bundled is CommonJS and asks for Node's modules.
    banner: {
      js: 'import { createRequire as ashlarRequire } from "node:module"; const require = ashlarRequire(import.meta.url);',
    },
    logLevel: "silent",
  });
}

export interface AgentProcess {
  readonly child: ChildProcess;
  /** The next line that the process printed, as JSON; undefined after its end. */
  readonly next: () => Promise<Readonly<Record<string, unknown>> | undefined>;
  /** Kills it with this signal and waits for its end. */
  readonly kill: (signal: NodeJS.Signals) => Promise<number | null>;
}

export interface ProcessTask {
  readonly open: AgentOpenOptions;
  readonly prompt?: string;
  readonly hang?: boolean;
  readonly armed?: boolean;
}

export interface ProcessLab {
  /** Starts an agent in a process of its own. */
  readonly start: (task: ProcessTask) => AgentProcess;
  /** The calls that ran so far, in order. */
  readonly ran: () => Promise<readonly string[]>;
  /** Resolves once so many calls began. */
  readonly begun: (count: number) => Promise<void>;
  readonly folder: string;
  readonly home: string;
}

/** A project and a user for agents in processes of their own, over one fake server. */
export async function processLab(program: string, server: RunningLLM): Promise<ProcessLab> {
  const base = await temporaryFolder();
  const [folder, home, log] = [join(base, "project"), join(base, "home"), join(base, "calls.log")];
  await Promise.all([folder, home].map((path) => mkdir(path)));
  const ran = async (): Promise<readonly string[]> => {
    const text = await readFile(log, "utf8").catch(() => "");
    return text.split("\n").filter((line) => line !== "");
  };
  return {
    folder,
    home,
    ran,
    begun: async (count) => {
      while ((await ran()).length < count) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    start: (task) => {
      const whole = { ...task, folder, home, log, url: server.ollamaUrl, openAIUrl: server.openAIUrl };
      const child = spawn(process.execPath, [program, JSON.stringify(whole)], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      const ended = once(child, "exit");
      return {
        child,
        next: async () => {
          const { done, value } = await lines.next();
          return done === true ? undefined : JSON.parse(value);
        },
        kill: async (signal) => {
          child.kill(signal);
          await ended;
          return child.exitCode;
        },
      };
    },
  };
}
