import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";

export interface Said {
  readonly event: string;
  readonly pid: number;
  readonly kind?: string;
  readonly message?: string;
  readonly holder?: number;
  readonly since?: number;
}

/** A process that wants a session, and what it said so far. */
export class Contender {
  readonly child: ChildProcess;
  readonly ended: Promise<unknown>;
  readonly #said: Said[] = [];
  #errors = "";
  readonly #listeners = new Set<() => void>();
  static readonly #all = new Set<Contender>();

  constructor(program: string, ...options: readonly string[]) {
    this.child = spawn(process.execPath, [program, ...options], { stdio: ["ignore", "pipe", "pipe"] });
    this.child.stderr?.on("data", (data) => {
      this.#errors += String(data);
    });
    Contender.#all.add(this);
    this.ended = new Promise((resolve) => this.child.once("close", resolve));
    if (this.child.stdout === null) throw new Error("the program has no output");
    createInterface({ input: this.child.stdout }).on("line", (line) => {
      this.#said.push(JSON.parse(line));
      for (const listener of this.#listeners) listener();
    });
  }

  /** Ends what a test that failed left behind. */
  static async endAll(): Promise<void> {
    for (const contender of Contender.#all) await contender.kill();
    Contender.#all.clear();
  }

  has(event: string): boolean {
    return this.#said.some((said) => said.event === event);
  }

  says(event: string): Promise<Said> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const said = this.#said.find((one) => one.event === event);
        if (said === undefined) return;
        this.#listeners.delete(look);
        resolve(said);
      };
      this.#listeners.add(look);
      look();
      void this.ended.then(() => reject(new Error(`it ended before it said ${event}: ${this.#errors}`)));
    });
  }

  async kill(): Promise<void> {
    this.child.kill("SIGKILL");
    await this.ended;
  }
}
