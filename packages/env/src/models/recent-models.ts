import { readFileSync } from "node:fs";
import { isSettingsData } from "../settings/settings-data.js";

const MAX_PAIRS = 8;
const MAX_PROJECTS = 100;
const VERSION = 1;

/** ISO time of the last use, by `endpoint/model`. */
type Uses = ReadonlyMap<string, string>;

interface Memory {
  readonly everywhere: Uses;
  readonly projects: ReadonlyMap<string, Uses>;
}

export interface RecentModelsHost {
  /** Undefined: remembered by this Env only. */
  readonly file: string | undefined;
  readonly project: string;
  readonly writeFile: (file: string, text: string) => Promise<void>;
  readonly diagnose: (diagnostic: {
    readonly kind: "models";
    readonly message: string;
    readonly file: string;
  }) => void;
}

/** The last models somebody worked with: 8 pairs for the user and 8 for each project. */
export class RecentModels {
  readonly #host: RecentModelsHost;
  #memory: Memory | undefined;
  #unsaved = new Map<string, string>();
  #saving: Promise<void> | undefined;

  constructor(host: RecentModelsHost) {
    this.#host = host;
  }

  lastUsed(pair: string): string | null {
    return this.#held().everywhere.get(pair) ?? null;
  }

  projectLastUsed(pair: string): string | null {
    return this.#held().projects.get(this.#host.project)?.get(pair) ?? null;
  }

  /** Newest first, the project's before the others. */
  pairs(): readonly string[] {
    const { everywhere, projects } = this.#held();
    const own = projects.get(this.#host.project) ?? new Map<string, string>();
    return [...new Set([...own.keys(), ...everywhere.keys()])];
  }

  remember(pair: string, at: string): void {
    this.#memory = withUse(this.#held(), this.#host.project, pair, at);
    this.#unsaved.set(pair, at);
    // Uses of one tick are written together.
    this.#saving ??= Promise.resolve().then(() => this.#save());
  }

  /** Resolves when what was remembered is on disk. */
  async flush(): Promise<void> {
    while (this.#saving !== undefined) await this.#saving;
  }

  async #save(): Promise<void> {
    const { file, project, writeFile, diagnose } = this.#host;
    const uses = this.#unsaved;
    this.#unsaved = new Map();
    try {
      if (file !== undefined) {
        // Other processes remember too: only this Env's uses are put in.
        const merged = [...uses].reduce(
          (memory, [pair, at]) => withUse(memory, project, pair, at),
          readMemory(file),
        );
        await writeFile(file, encoded(merged));
      }
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      diagnose({
        kind: "models",
        message: `the last used model cannot be remembered in ${file}: ${reason}`,
        file: file ?? "",
      });
    }
    this.#saving = this.#unsaved.size > 0 ? this.#save() : undefined;
  }

  #held(): Memory {
    this.#memory ??= this.#host.file === undefined ? EMPTY : readMemory(this.#host.file);
    return this.#memory;
  }
}

const EMPTY: Memory = { everywhere: new Map(), projects: new Map() };

function withUse({ everywhere, projects }: Memory, project: string, pair: string, at: string): Memory {
  const own = newestFirst(withEntry(projects.get(project), pair, at), MAX_PAIRS);
  const others = [...projects].filter(([folder]) => folder !== project);
  return {
    everywhere: newestFirst(withEntry(everywhere, pair, at), MAX_PAIRS),
    projects: new Map<string, Uses>([[project, own], ...others.slice(0, MAX_PROJECTS - 1)]),
  };
}

function withEntry(uses: Uses | undefined, pair: string, at: string): Uses {
  return new Map([...(uses ?? new Map<string, string>())]).set(pair, at);
}

function newestFirst(uses: Uses, limit: number): Uses {
  return new Map([...uses].sort(([, a], [, b]) => (a < b ? 1 : a > b ? -1 : 0)).slice(0, limit));
}

function encoded({ everywhere, projects }: Memory): string {
  const content = {
    version: VERSION,
    models: Object.fromEntries(everywhere),
    projects: Object.fromEntries([...projects].map(([folder, uses]) => [folder, Object.fromEntries(uses)])),
  };
  return `${JSON.stringify(content, null, 2)}\n`;
}

/** What cannot be read is forgotten: it only decides what is offered first. */
function readMemory(file: string): Memory {
  try {
    const content: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isSettingsData(content) || content.version !== VERSION) return EMPTY;
    const projects = isSettingsData(content.projects) ? Object.entries(content.projects) : [];
    return {
      everywhere: decodeUses(content.models),
      projects: new Map(projects.map(([folder, uses]) => [folder, decodeUses(uses)])),
    };
  } catch {
    return EMPTY;
  }
}

function decodeUses(value: unknown): Uses {
  const entries = isSettingsData(value) ? Object.entries(value) : [];
  const times = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return newestFirst(new Map(times), MAX_PAIRS);
}
