import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

const NAMES = ["chromium", "chromium-browser", "google-chrome"];
const END = "\u0000";

/** The program's name, or undefined where there is none. */
export function findChromium(): string | undefined {
  return NAMES.find((name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0);
}

interface Reply {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: unknown;
}

/** A browser without a window, told what to do through two pipes. */
export class Chromium {
  readonly events: Reply[] = [];
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<number, (reply: Reply) => void>();
  #listeners: ((reply: Reply) => void)[] = [];
  #lastId = 0;
  #text = "";

  private constructor(program: string) {
    this.#profile = mkdtempSync(join(tmpdir(), "ashlar-chromium-"));
    const flags = [
      "--headless=new",
      "--remote-debugging-pipe",
      "--no-first-run",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      `--user-data-dir=${this.#profile}`,
      // It refuses its own sandbox to root; the page is one that we wrote.
      ...(process.getuid?.() === 0 ? ["--no-sandbox"] : []),
    ];
    this.#child = spawn(program, [...flags, "about:blank"], {
      stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
    });
    this.#output.on("data", (chunk: Buffer) => this.#take(chunk.toString("utf8")));
  }

  static start(program: string): Chromium {
    return new Chromium(program);
  }

  /** One command of the DevTools protocol; rejects with what the browser says against it. */
  async send(
    method: string,
    params: object = {},
    sessionId?: string,
  ): Promise<Readonly<Record<string, unknown>>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const reply = new Promise<Reply>((resolve) => this.#waiting.set(id, resolve));
    this.#input.write(`${JSON.stringify({ id, method, params, ...(sessionId && { sessionId }) })}${END}`);
    const { result, error } = await reply;
    if (result === undefined) throw new Error(`${method}: ${JSON.stringify(error)}`);
    return result;
  }

  /** Resolves with the next event of this name. */
  next(method: string): Promise<Reply> {
    return new Promise((resolve) => {
      const listener = (reply: Reply): void => {
        if (reply.method !== method) return;
        this.#listeners = this.#listeners.filter((other) => other !== listener);
        resolve(reply);
      };
      this.#listeners.push(listener);
    });
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#child.once("close", resolve));
    this.#child.kill("SIGKILL");
    await closed;
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #take(text: string): void {
    const parts = (this.#text + text).split(END);
    this.#text = parts.pop() ?? "";
    for (const part of parts) {
      const reply: Reply = JSON.parse(part);
      if (reply.id !== undefined) this.#waiting.get(reply.id)?.(reply);
      else {
        this.events.push(reply);
        for (const listener of this.#listeners) listener(reply);
      }
    }
  }

  get #input(): Writable {
    // The third pipe is one because stdio asks for it.
    return this.#child.stdio[3] as Writable;
  }

  get #output(): Readable {
    // So is the fourth.
    return this.#child.stdio[4] as Readable;
  }
}
