import { stat } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import type { Env } from "@ashlar/env";
import { errorText } from "../loop/tool-value.js";
import type { Interceptor } from "./interceptor.js";
import { interceptorProblem } from "./interceptor-chain.js";
import { type Observer, readObservers } from "./observers.js";

const IMPORT_TIMEOUT_MS = 10_000;

/** What one hook file gave. */
export interface HookModule {
  readonly file: string;
  readonly observers: readonly Observer[];
  readonly interceptor: Interceptor | undefined;
  /** What is wrong with it; what could be read of it counts all the same. */
  readonly problems: readonly string[];
  /** Nobody knows which calls it would have forbidden. */
  readonly doubtful: boolean;
}

export interface HookModuleOptions {
  readonly env: Env;
  /** A file is imported anew for each revision. */
  readonly revision: number;
  /** Default 10 s. */
  readonly timeoutMs?: number;
}

/** Imports a hook file. Never rejects. */
export async function loadHookModule(file: string, options: HookModuleOptions): Promise<HookModule> {
  const { env, revision, timeoutMs = IMPORT_TIMEOUT_MS } = options;
  try {
    // Another version of the file is another module, also for an Env that is opened later.
    const { mtimeMs, size, ino } = await stat(file);
    const url = `${pathToFileURL(file).href}?hooks=${[mtimeMs, size, ino, revision].join("-")}`;
    const exports = await inTime(import(/* @vite-ignore */ url), timeoutMs);
    return readHookModule(file, exports, env);
  } catch (error) {
    return doubtfulModule(file, `it could not be loaded: ${errorText(error)}`);
  }
}

/** What stands for a file of which nothing is known. */
export function doubtfulModule(file: string, problem: string): HookModule {
  return { file, observers: [], interceptor: undefined, problems: [problem], doubtful: true };
}

function readHookModule(file: string, exports: object, env: Env): HookModule {
  // A module namespace: its members are told by name only.
  const { hooks, interceptors } = exports as Readonly<Record<string, unknown>>;
  const problems: string[] = [];
  if (hooks === undefined && interceptors === undefined)
    problems.push("it exports neither hooks(env) nor interceptors(env)");
  const attempt = <T>(read: () => T): T | undefined => {
    try {
      return read();
    } catch (error) {
      problems.push(errorText(error));
      return undefined;
    }
  };
  const observers = hooks === undefined ? [] : attempt(() => readObservers(called("hooks", hooks, env)));
  const interceptor =
    interceptors === undefined
      ? undefined
      : attempt(() => readInterceptor(called("interceptors", interceptors, env), file));
  const doubtful = interceptors !== undefined && interceptor === undefined;
  return { file, observers: observers ?? [], interceptor, problems, doubtful };
}

function called(name: string, value: unknown, env: Env): unknown {
  if (typeof value !== "function") throw new TypeError(`${name} must be a function of the Env`);
  return value(env);
}

function readInterceptor(value: unknown, file: string): Interceptor {
  const problem = interceptorProblem(value);
  if (problem !== undefined) throw new TypeError(`interceptors: ${problem}`);
  // It was checked member by member.
  const interceptor = value as Interceptor;
  return interceptor.name === undefined ? Object.create(interceptor, { name: { value: file } }) : interceptor;
}

async function inTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`its import did not end within ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
