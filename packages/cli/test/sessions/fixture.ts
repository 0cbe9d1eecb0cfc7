import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main, type Terminal } from "@ashlar/cli";
import {
  Context,
  type ContextItem,
  messageAssistant,
  messageUser,
  type SessionRepository,
} from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { createSqliteRepository } from "@ashlar/session-sqlite";

export type StoreName = "jsonl" | "sqlite";

/** A project and a home of its own, with the sessions in one of the stores. */
export interface Place {
  readonly project: string;
  readonly sessions: string;
  readonly repository: SessionRepository;
  /** Runs one command line in this process. */
  readonly run: (args: readonly string[], options?: RunOptions) => Promise<Finished>;
  /** Lets the database go, so that something else can have it whole. */
  readonly release: () => Promise<void>;
  readonly remove: () => Promise<void>;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly input?: string;
  readonly signal?: AbortSignal;
  readonly columns?: number;
}

export interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export async function createPlace(store: StoreName = "jsonl"): Promise<Place> {
  const base = await realpath(await mkdtemp(join(tmpdir(), "ashlar sessions-")));
  const project = join(base, "project");
  const home = join(base, "home");
  const sessions = join(home, "data", "sessions");
  await mkdir(project, { recursive: true });
  await mkdir(join(home, "config"), { recursive: true });
  await writeFile(join(home, "config", "settings.json"), JSON.stringify({ sessions: { store } }));
  const repository =
    store === "jsonl"
      ? createJsonlRepository({ folder: sessions })
      : createSqliteRepository({ folder: sessions });
  const release = async (): Promise<void> => {
    if ("close" in repository && typeof repository.close === "function") await repository.close();
  };
  const environment = { PATH: process.env.PATH, HOME: home, ASHLAR_HOME: home };
  return {
    project,
    sessions,
    repository,
    release,
    run: (args, options = {}) => runInProcess(args, { cwd: project, ...options }, environment),
    remove: async () => {
      await release();
      await rm(base, { recursive: true, force: true });
    },
  };
}

async function runInProcess(
  args: readonly string[],
  { cwd, input, signal, columns }: RunOptions & { readonly cwd: string },
  environment: Terminal["environment"],
): Promise<Finished> {
  const out: string[] = [];
  const err: string[] = [];
  const flush = async (): Promise<void> => undefined;
  const terminal: Terminal = {
    cwd,
    environment,
    input: input === undefined ? undefined : oneChunk(input),
    out: { write: (text) => void out.push(text), flush },
    err: { write: (text) => void err.push(text), flush },
    cancelled: signal ?? new AbortController().signal,
    colour: false,
    outColumns: columns,
    errColumns: columns,
  };
  const code = await main(args, { terminal });
  return { code, stdout: out.join(""), stderr: err.join("") };
}

async function* oneChunk(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  yield new TextEncoder().encode(text);
}

export interface Conversation {
  readonly id?: string;
  readonly name?: string;
  readonly cwd?: string;
  readonly items?: readonly ContextItem[];
}

/** Keeps a conversation and returns its id. */
export async function keep(place: Place, conversation: Conversation = {}): Promise<string> {
  const { items = [messageUser("hello bridge"), messageAssistant("hello mason")], ...options } = conversation;
  const store = await place.repository.create({ cwd: place.project, ...options });
  const context = await Context.open({ store });
  for (const item of items) context.append(item);
  await context.close();
  return store.info.id;
}
