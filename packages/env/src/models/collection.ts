import { catalogueCall } from "../endpoints/catalogue-call.js";
import { secretsOf } from "../endpoints/credential.js";
import type { Endpoint } from "../endpoints/endpoint.js";
import type { Endpoints } from "../endpoints/endpoints.js";
import type { Diagnostic } from "../env.js";
import { type EnvErrorKind, isEnvError } from "../env-error.js";
import type { ModelLists } from "./model-lists.js";

const LIST_TIMEOUT_MS = 5_000;
const RETRY_DELAYS_MS = [2_000, 5_000];
const MAX_PARALLEL = 8;

export interface CollectionOptions {
  readonly endpoints: Endpoints;
  readonly lists: ModelLists;
  /** Ends everything at once. */
  readonly signal: AbortSignal;
  readonly onChange: () => void;
  readonly diagnose: (diagnostic: Diagnostic) => void;
  readonly retryDelaysMs?: readonly number[];
}

type Outcome = "listed" | "empty" | "skipped" | EnvErrorKind;

/** Asks the endpoints for their models in the background. Nothing waits for it, and closing ends it at once. */
export class Collection {
  readonly #options: CollectionOptions;
  /** Address for which an endpoint was asked. */
  readonly #asked = new Map<string, string>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: CollectionOptions) {
    this.#options = options;
  }

  /** The first pass: looks for servers, then asks every endpoint once. What gave nothing is tried again later. */
  async firstPass(): Promise<void> {
    if (this.#options.signal.aborted) return;
    await this.#pass([], 0);
    this.#options.onChange();
  }

  /** Asks endpoints that are new or moved since. */
  refresh(): void {
    const endpoints = this.#unasked();
    if (endpoints.length > 0) this.#track(this.#collect(endpoints).then(() => this.#save()));
  }

  /** Resolves when nothing runs any more. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  async #pass(failed: readonly Endpoint[], attempt: number): Promise<void> {
    const { endpoints, signal } = this.#options;
    const probing = endpoints.detection.probe([...endpoints.view.all().keys()], signal);
    const asking = this.#collect([...this.#unasked(), ...failed.filter(isSameIn(endpoints))]);
    const { changed, complete } = await probing;
    if (changed) endpoints.view.changed();
    const again = [...(await this.#collect(this.#unasked())), ...(await asking)];
    if (signal.aborted) return;
    await this.#save();
    if (again.length > 0 || !complete) this.#retryLater(again, attempt);
  }

  #retryLater(failed: readonly Endpoint[], attempt: number): void {
    const { signal, retryDelaysMs = RETRY_DELAYS_MS } = this.#options;
    const delay = retryDelaysMs[attempt];
    if (delay === undefined) return;
    const retry = async (): Promise<void> => {
      await pause(delay, signal);
      if (!signal.aborted) await this.#pass(failed, attempt + 1);
    };
    this.#track(retry());
  }

  #unasked(): readonly Endpoint[] {
    const all = [...this.#options.endpoints.view.all().values()];
    return all.filter((endpoint) => this.#asked.get(endpoint.name) !== addressOf(endpoint));
  }

  /** Asks some at a time. Gives those that may answer later. */
  async #collect(endpoints: readonly Endpoint[]): Promise<readonly Endpoint[]> {
    const waiting = [...endpoints];
    for (const endpoint of waiting) this.#asked.set(endpoint.name, addressOf(endpoint));
    const again: Endpoint[] = [];
    const worker = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const outcome = await this.#ask(next);
        if (outcome === "empty" || outcome === "network") again.push(next);
      }
    };
    await Promise.all(Array.from({ length: Math.min(MAX_PARALLEL, endpoints.length) }, worker));
    return again;
  }

  async #ask(endpoint: Endpoint): Promise<Outcome> {
    const { endpoints, lists, signal, onChange, diagnose } = this.#options;
    const { view } = endpoints;
    const { Provider, problem, record, name } = endpoint;
    if (
      Provider === undefined ||
      problem !== undefined ||
      record.disabled ||
      view.withheld(endpoint) !== undefined
    ) {
      return "skipped";
    }
    const { models } = view.side(Provider);
    if (models === undefined) return "skipped";
    const secrets = secretsOf(view.authOf(name, endpoint.origin));
    try {
      const limits = { timeoutMs: LIST_TIMEOUT_MS, signal, endpoint: name, secrets };
      const listing = await catalogueCall((inner) => models(view.query(endpoint, inner)), limits);
      view.authReport(name, "accepted");
      if (lists.set(endpoint, listing)) onChange();
      return Object.keys(listing).length === 0 ? "empty" : "listed";
    } catch (error) {
      const kind = isEnvError(error) ? error.kind : "provider";
      if (kind === "auth") view.authReport(name, "refused");
      const message = error instanceof Error ? error.message : String(error);
      if (kind !== "cancelled") diagnose({ kind: "models", message: `no model list from ${message}` });
      return kind;
    }
  }

  async #save(): Promise<void> {
    const { endpoints, lists, diagnose, signal } = this.#options;
    if (signal.aborted) return;
    try {
      await lists.save(endpoints.view.all().values());
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      diagnose({
        kind: "models",
        message: `the model lists cannot be kept for an offline start: ${message}`,
      });
    }
  }

  #track(work: Promise<void>): void {
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }
}

function addressOf({ url, protocol }: Endpoint): string {
  return `${protocol} ${url}`;
}

function isSameIn({ view }: Endpoints): (endpoint: Endpoint) => boolean {
  return (endpoint) => {
    const now = view.all().get(endpoint.name);
    return now !== undefined && addressOf(now) === addressOf(endpoint);
  };
}

/** Resolves after the time or at the abort; does not keep the process alive. */
function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, timeMs);
    timer.unref();
    signal.addEventListener("abort", done);
    if (signal.aborted) done();
  });
}
