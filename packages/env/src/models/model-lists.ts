import { readFileSync } from "node:fs";
import type { ModelMetadata } from "@ashlar/context/provider";
import type { Endpoint } from "../endpoints/endpoint.js";
import { isSettingsData, sameData } from "../settings/settings-data.js";

export type ModelListing = Readonly<Record<string, ModelMetadata>>;

/** What is known of one endpoint's models. */
export interface KnownListing {
  readonly models: ModelListing;
  /** The server said so to this Env; otherwise it is what it said to an earlier one. */
  readonly live: boolean;
}

export interface ModelListsHost {
  /** Where lists are kept for a start without network; undefined: nowhere. */
  readonly file: string | undefined;
  readonly writeFile: (file: string, text: string) => Promise<void>;
}

interface CachedListing {
  readonly url: string;
  /** ISO time. */
  readonly at: string;
  readonly models: ModelListing;
}

const VERSION = 1;

/** The model lists of an Env's endpoints, each bound to the url that gave it. */
export class ModelLists {
  readonly #host: ModelListsHost;
  readonly #live = new Map<string, { readonly url: string; readonly models: ModelListing }>();
  readonly #forgotten = new Set<string>();
  #cached: ReadonlyMap<string, CachedListing> | undefined;

  constructor(host: ModelListsHost) {
    this.#host = host;
  }

  of({ name, url }: Endpoint): KnownListing | undefined {
    const live = this.#live.get(name);
    if (live?.url === url) return { models: live.models, live: true };
    if (this.#forgotten.has(name)) return undefined;
    const cached = this.#cache().get(name);
    return cached?.url === url ? { models: cached.models, live: false } : undefined;
  }

  /** True when the list is other than what was known. */
  set(endpoint: Endpoint, models: ModelListing): boolean {
    const before = this.of(endpoint);
    this.#live.set(endpoint.name, { url: endpoint.url, models });
    this.#forgotten.delete(endpoint.name);
    return before === undefined || !sameData(before.models, models);
  }

  forget(name: string): void {
    this.#live.delete(name);
    this.#forgotten.add(name);
  }

  /** Keeps the live lists of these endpoints for the next start. Lists of other projects' endpoints stay. */
  async save(endpoints: Iterable<Endpoint>): Promise<void> {
    const { file, writeFile } = this.#host;
    if (file === undefined) return;
    const stored = new Map(readCache(file));
    const before = JSON.stringify(Object.fromEntries(stored));
    for (const name of this.#forgotten) stored.delete(name);
    for (const endpoint of endpoints) {
      const live = this.#live.get(endpoint.name);
      if (live === undefined || endpoint.secret) continue;
      const old = stored.get(endpoint.name);
      if (old?.url === live.url && sameData(old.models, live.models)) continue;
      stored.set(endpoint.name, { ...live, at: new Date().toISOString() });
    }
    const after = Object.fromEntries(stored);
    if (JSON.stringify(after) === before) return;
    await writeFile(file, `${JSON.stringify({ version: VERSION, endpoints: after })}\n`);
  }

  #cache(): ReadonlyMap<string, CachedListing> {
    this.#cached ??= this.#host.file === undefined ? new Map() : readCache(this.#host.file);
    return this.#cached;
  }
}

/** A cache that is missing or damaged is an empty one: the servers fill it again. */
function readCache(file: string): ReadonlyMap<string, CachedListing> {
  try {
    return new Map(decodeCache(JSON.parse(readFileSync(file, "utf8"))));
  } catch {
    return new Map();
  }
}

function decodeCache(content: unknown): [string, CachedListing][] {
  if (!isSettingsData(content) || content.version !== VERSION || !isSettingsData(content.endpoints))
    return [];
  return Object.entries(content.endpoints).flatMap(([name, entry]) => {
    if (!isSettingsData(entry) || typeof entry.url !== "string" || !isSettingsData(entry.models)) return [];
    const models = Object.entries(entry.models).filter(([, metadata]) => isSettingsData(metadata));
    // Whoever merges metadata checks each field of it.
    const listing = Object.fromEntries(models) as ModelListing;
    return [[name, { url: entry.url, at: String(entry.at), models: listing }]];
  });
}
