import type { BackgroundCommand, BackgroundCommands, BackgroundOutput } from "@ashlar/context/tool";
import { AgentError } from "../agent-error.js";
import { allEnded } from "../all-ended.js";
import type { CommandRequest, IsolatedCommand } from "../isolation/isolation.js";
import { errorText } from "../loop/tool-value.js";
import { CommandOutput } from "./command-output.js";

const MAX_RUNNING = 8;
const MAX_RECORDS = 64;
/** Milliseconds before the first look at what a command printed. */
const PREVIEW_MS = 1_000;

interface CommandRecord {
  readonly id: string;
  readonly command: string;
  readonly output: CommandOutput;
  readonly started: Promise<IsolatedCommand>;
  running: boolean;
  exitCode: number | null;
  signal: string | null;
  /** Settles when nothing of it is left; never rejects. */
  over: Promise<void>;
}

export interface BackgroundManagerOptions {
  /** Starts a command in a sandbox of its own. */
  readonly start: (request: Omit<CommandRequest, "policy">) => Promise<IsolatedCommand>;
}

/** The background commands of one agent: they outlive their calls and end with the agent. */
export class BackgroundManager implements BackgroundCommands {
  readonly #start: BackgroundManagerOptions["start"];
  readonly #records = new Map<string, CommandRecord>();
  #next = 1;
  #closed = false;

  constructor({ start }: BackgroundManagerOptions) {
    this.#start = start;
  }

  readonly start: BackgroundCommands["start"] = async (command, { environment = {} }) => {
    if (this.#closed) throw new AgentError("closed", "The agent is closed.", {});
    const running = this.#list().filter((record) => record.running);
    if (running.length >= MAX_RUNNING) {
      const ids = running.map(({ id }) => id).join(", ");
      throw new AgentError(
        "usage",
        `${MAX_RUNNING} background commands run already: ${ids}. Stop one first.`,
        {},
      );
    }
    const record = this.#record(command, environment);
    // What keeps it from starting at all is the caller's to know; how it ends later is in its record.
    await record.started;
    await Promise.race([record.over, new Promise((resolve) => setTimeout(resolve, PREVIEW_MS).unref())]);
    return { ...shown(record), preview: record.output.from(0, record.running).text };
  };

  readonly list: BackgroundCommands["list"] = async () => this.#list().map(shown);

  readonly output: BackgroundCommands["output"] = async (id, from): Promise<BackgroundOutput> => {
    const record = this.#find(id);
    return record.output.from(from, record.running);
  };

  readonly stop: BackgroundCommands["stop"] = async (id) => {
    const record = this.#find(id);
    await (await record.started).end();
    await record.over;
    return shown(record);
  };

  /** Ends all of them. Rejects with the first failure, once all were told to end. */
  async close(): Promise<void> {
    this.#closed = true;
    await allEnded(
      this.#list().map(async ({ started, over }) => {
        // One that did not start has nothing to end.
        const command = await started.catch(() => undefined);
        await command?.end();
        await over;
      }),
    );
  }

  #list(): readonly CommandRecord[] {
    return [...this.#records.values()];
  }

  #find(id: string): CommandRecord {
    const record = this.#records.get(id);
    if (record !== undefined) return record;
    const known = [...this.#records.keys()].join(", ") || "none";
    throw new AgentError(
      "usage",
      `There is no background command ${JSON.stringify(id)}. There are: ${known}.`,
      {},
    );
  }

  #record(command: string, environment: Readonly<Record<string, string>>): CommandRecord {
    const output = new CommandOutput();
    const started = this.#start({ command, environment, onOutput: (bytes) => output.push(bytes) });
    const id = `bg-${this.#next}`;
    this.#next += 1;
    const record: CommandRecord = {
      id,
      command,
      output,
      started,
      running: true,
      exitCode: null,
      signal: null,
      over: Promise.resolve(),
    };
    record.over = this.#follow(record);
    this.#records.set(id, record);
    this.#forgetOldest();
    return record;
  }

  async #follow(record: CommandRecord): Promise<void> {
    try {
      const { exitCode, signal } = await (await record.started).exited;
      record.exitCode = exitCode;
      record.signal = signal;
    } catch (error) {
      record.output.push(new TextEncoder().encode(`\n[${errorText(error)}]\n`));
    } finally {
      record.running = false;
    }
  }

  /** Of those that ended. */
  #forgetOldest(): void {
    const ended = this.#list().filter((record) => !record.running);
    const surplus = this.#records.size - MAX_RECORDS;
    for (const { id } of ended.slice(0, Math.max(0, surplus))) this.#records.delete(id);
  }
}

function shown({ id, command, running, exitCode, signal }: CommandRecord): BackgroundCommand {
  return { id, command, running, exitCode, signal };
}
