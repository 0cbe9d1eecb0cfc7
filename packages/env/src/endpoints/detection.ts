import type { AuthRecord, Fetch, ProviderClass } from "@ashlar/context/provider";
import type { Diagnostic } from "../env.js";
import { isEnvError } from "../env-error.js";
import { isSettingsData, type SettingsData, sameData } from "../settings/settings-data.js";
import { parseBaseUrl } from "./base-url.js";
import { catalogueCall } from "./catalogue-call.js";
import { isAuthRecord } from "./credential.js";
import { isEndpointName } from "./endpoint-name.js";

/** A probe of this machine that takes longer finds nothing. */
const PROBE_TIMEOUT_MS = 2_000;

export interface DynamicEndpoint {
  readonly provider: string;
  readonly url: string;
  /** What the credentials count for. */
  readonly origin: string;
  readonly auth?: AuthRecord;
}

export interface DetectionHost {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly providers: () => ReadonlyMap<string, ProviderClass>;
  readonly diagnose: (diagnostic: Diagnostic) => void;
  readonly fetch: Fetch;
}

export interface ProbeResult {
  readonly changed: boolean;
  /** Every probe found something. */
  readonly complete: boolean;
}

interface Probe {
  readonly provider: string;
  readonly Provider: ProviderClass;
  readonly endpoints: readonly string[];
  readonly signal: AbortSignal;
}

/** Endpoints that were found: in the environment, asked once a provider, and by probes, which each pass renews. */
export class Detection {
  readonly #host: DetectionHost;
  readonly #asked = new Set<string>();
  readonly #fromEnvironment = new Map<string, DynamicEndpoint>();
  readonly #suppressed = new Set<string>();
  #probed: ReadonlyMap<string, DynamicEndpoint> = new Map();

  constructor(host: DetectionHost) {
    this.#host = host;
  }

  /** What is known now. New providers are asked about the environment first. */
  found(): ReadonlyMap<string, DynamicEndpoint> {
    this.#askEnvironment();
    const all = [...this.#probed, ...this.#fromEnvironment];
    return new Map(all.filter(([name]) => !this.#suppressed.has(name)));
  }

  /** Leaves the endpoint out as long as this Env lives. */
  suppress(name: string): void {
    this.#suppressed.add(name);
  }

  /** An endpoint that is logged in to counts again. */
  allow(name: string): void {
    this.#suppressed.delete(name);
  }

  /** Looks for live servers. Never rejects. */
  async probe(endpoints: readonly string[], signal: AbortSignal): Promise<ProbeResult> {
    const probes = [...this.#host.providers()].filter(
      ([, { detect, detectEnvironmentOnly }]) => detect !== undefined && detectEnvironmentOnly !== true,
    );
    const answers = await Promise.all(
      probes.map(([provider, Provider]) => this.#probeOne({ provider, Provider, endpoints, signal })),
    );
    if (signal.aborted) return { changed: false, complete: false };
    const probed = new Map(answers.flat());
    const changed = !sameData(Object.fromEntries(probed), Object.fromEntries(this.#probed));
    this.#probed = probed;
    return { changed, complete: answers.every((found) => found.length > 0) };
  }

  async #probeOne({
    provider,
    Provider,
    endpoints,
    signal,
  }: Probe): Promise<readonly [string, DynamicEndpoint][]> {
    const { environment, fetch } = this.#host;
    const limits = { timeoutMs: PROBE_TIMEOUT_MS, signal, endpoint: provider, secrets: [] };
    try {
      const query = { endpoints, environment, fetch };
      const found = await catalogueCall(
        async (inner) => Provider.detect?.({ ...query, signal: inner }),
        limits,
      );
      return this.#decode(provider, found ?? {});
    } catch (error) {
      // No server, or one that is slow: the next pass looks again.
      if (!isEnvError(error) || error.kind === "provider") this.#diagnose(provider, error);
      return [];
    }
  }

  #askEnvironment(): void {
    for (const [provider, Provider] of this.#host.providers()) {
      if (this.#asked.has(provider)) continue;
      this.#asked.add(provider);
      try {
        const found = Provider.detectEnvironment?.(this.#host.environment) ?? {};
        for (const [name, endpoint] of this.#decode(provider, found)) {
          if (!this.#fromEnvironment.has(name)) this.#fromEnvironment.set(name, endpoint);
        }
      } catch (error) {
        this.#diagnose(provider, error);
      }
    }
  }

  #decode(provider: string, found: unknown): [string, DynamicEndpoint][] {
    if (!isSettingsData(found)) return [];
    return Object.entries(found).flatMap(([name, value]) => {
      const endpoint =
        isSettingsData(value) && isEndpointName(name)
          ? decodeEndpoint(provider, value)
          : "no usable name or value";
      if (typeof endpoint !== "string") return [[name, endpoint]];
      this.#host.diagnose({
        kind: "provider",
        message: `provider ${provider} found ${JSON.stringify(name)}: ${endpoint}`,
      });
      return [];
    });
  }

  #diagnose(provider: string, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#host.diagnose({
      kind: "provider",
      message: `provider ${provider} failed to look for endpoints: ${message}`,
    });
  }
}

function decodeEndpoint(provider: string, value: SettingsData): DynamicEndpoint | string {
  const schemes =
    typeof value.url === "string" && URL.canParse(value.url) ? [new URL(value.url).protocol] : [];
  const base = parseBaseUrl({ value: value.url, key: "url", schemes });
  if (!base.ok) return base.problem;
  return {
    provider,
    url: base.url,
    origin: base.origin,
    ...(isAuthRecord(value.auth) ? { auth: value.auth } : {}),
  };
}
