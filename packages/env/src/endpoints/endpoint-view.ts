import type { AuthRecord, CatalogueQuery, Fetch, ProviderClass } from "@ashlar/context/provider";
import type { Diagnostic, EndpointInfo } from "../env.js";
import type { HostSettings } from "../env-host.js";
import { isSettingsData } from "../settings/settings-data.js";
import { type CatalogueSide, catalogueSide } from "./catalogue-side.js";
import type { CredentialStore } from "./credential-store.js";
import type { Detection } from "./detection.js";
import { type Endpoint, type EndpointSource, resolveEndpoint, type UrlOrigin } from "./endpoint.js";
import { ENDPOINT_NAME_RULE, isEndpointName, isReservedName } from "./endpoint-name.js";
import { decodeEndpointRecord } from "./endpoint-record.js";

export interface EndpointViewHost {
  readonly settings: Pick<HostSettings, "read" | "layersOf">;
  readonly providers: () => ReadonlyMap<string, ProviderClass>;
  readonly diagnose: (diagnostic: Diagnostic) => void;
  readonly credentials: CredentialStore;
  readonly detection: Detection;
  readonly fetch: Fetch;
}

/** Where a request goes instead of where the sources say, during a login. */
export interface EndpointOverride {
  readonly provider: string | undefined;
  readonly url: string | undefined;
}

/** The endpoints as settings, stored logins, detection and the providers' own knowledge say together. */
export class EndpointView {
  readonly #host: EndpointViewHost;
  readonly #refused = new Set<string>();
  readonly #listeners: (() => void)[] = [];
  #resolved: ReadonlyMap<string, Endpoint> | undefined;
  #resolvedFrom: readonly [providers: unknown, settings: unknown] = [undefined, undefined];

  constructor(host: EndpointViewHost) {
    this.#host = host;
  }

  /** Every endpoint that is configured, logged in to or detected. */
  all(): ReadonlyMap<string, Endpoint> {
    const providers = this.#host.providers();
    // The merged value is another one once something in it changed, also before the notice of it comes.
    const settings = this.#host.settings.read(["providers"]);
    const [oldProviders, oldSettings] = this.#resolvedFrom;
    if (this.#resolved === undefined || oldProviders !== providers || oldSettings !== settings) {
      this.#resolvedFrom = [providers, settings];
      this.#resolved = this.#resolveAll();
      for (const endpoint of this.#resolved.values()) this.#mention(endpoint);
    }
    return this.#resolved;
  }

  /** One endpoint by name, also when only its provider knows it. An override wins over every source. */
  find(name: string, override?: EndpointOverride): Endpoint | undefined {
    if (override === undefined) {
      const endpoint = this.all().get(name);
      if (endpoint !== undefined || !isEndpointName(name)) return endpoint;
    }
    return this.#resolve(name, override);
  }

  /** Names that could be meant: the endpoints there are, then those that providers know. */
  names(): readonly string[] {
    const known = [...this.#host.providers().values()].flatMap((Provider) => Provider.knownEndpoints ?? []);
    return [...new Set([...this.all().keys(), ...known.map(({ name }) => name)])];
  }

  info(endpoint: Endpoint): EndpointInfo {
    const auth = this.authOf(endpoint.name, endpoint.origin);
    return {
      name: endpoint.name,
      provider: endpoint.protocol,
      url: endpoint.url,
      dynamic: endpoint.dynamic,
      disabled: endpoint.record.disabled,
      secret: endpoint.secret,
      loginRequired: this.loginRequired(endpoint),
      hasCredentials: auth !== undefined && auth.type !== "none",
    };
  }

  /** The credentials that may be sent to that origin: only those that were stored for it. */
  authOf(name: string, origin: string): AuthRecord | undefined {
    return this.#candidates(name).find((candidate) => candidate.origin === origin)?.auth;
  }

  /** Why the credentials there are stay here, or undefined when none does. */
  withheld({ name, origin, url, urlOrigin }: Endpoint): string | undefined {
    if (origin === "" || this.authOf(name, origin) !== undefined) return undefined;
    const other = this.#candidates(name).find(({ auth }) => auth.type !== "none");
    if (other === undefined) return undefined;
    const address = url.split("?")[0] ?? origin;
    return `endpoint ${name}: the credentials are for ${other.origin}, but ${placeOf(urlOrigin)} leads to ${origin}, so they are not sent there. If that server shall have some, run: ashlar login ${name} --url ${address}`;
  }

  loginRequired(endpoint: Endpoint): boolean {
    return this.#refused.has(endpoint.name) || this.withheld(endpoint) !== undefined;
  }

  /** The server took the endpoint's credentials, or did not. */
  authReport(name: string, outcome: "accepted" | "refused"): void {
    if (this.#refused.has(name) === (outcome === "refused")) return;
    if (outcome === "refused") this.#refused.add(name);
    else this.#refused.delete(name);
    this.changed();
  }

  side(Provider: ProviderClass): CatalogueSide {
    return catalogueSide(Provider, this.#host.providers());
  }

  query({ name, origin, url, record }: Endpoint, signal: AbortSignal): CatalogueQuery {
    return {
      url,
      auth: this.authOf(name, origin),
      settings: record.settings,
      signal,
      fetch: this.#host.fetch,
    };
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  readonly changed = (): void => {
    this.#resolved = undefined;
    for (const listener of this.#listeners) listener();
  };

  #candidates(name: string): readonly { readonly origin: string; readonly auth: AuthRecord }[] {
    const detected = this.#host.detection.found().get(name);
    const stored = this.#host.credentials.of(name);
    return detected?.auth === undefined
      ? stored
      : [...stored, { origin: detected.origin, auth: detected.auth }];
  }

  #resolveAll(): ReadonlyMap<string, Endpoint> {
    const settings = this.#host.settings.read(["providers"]);
    const configured = isSettingsData(settings) ? Object.keys(settings) : [];
    const names = new Set([
      ...configured.filter((name) => !isReservedName(name)),
      ...this.#host.credentials.names(),
      ...this.#host.detection.found().keys(),
    ]);
    const resolved = new Map<string, Endpoint>();
    for (const name of names) {
      const endpoint = isEndpointName(name) ? this.#resolve(name) : this.#refuseName(name);
      if (endpoint === undefined || endpoint.implicit || this.#isUnusedDefault(endpoint)) continue;
      resolved.set(name, endpoint);
    }
    return resolved;
  }

  /** What a package ships for a provider that the host did not bring. */
  #isUnusedDefault({ name, Provider }: Endpoint): boolean {
    const layers = this.#host.settings.layersOf(["providers", name]);
    return Provider === undefined && layers.length > 0 && layers.every(({ layer }) => layer === "package");
  }

  #resolve(name: string, override?: EndpointOverride): Endpoint | undefined {
    const { settings } = this.#host;
    const detected = this.#host.detection.found().get(name);
    const written = settings.layersOf(["providers", name, "url"]).at(-1);
    const record = decodeEndpointRecord(name, settings.read(["providers", name]));
    const given = override?.url !== undefined;
    return resolveEndpoint(
      {
        name,
        known: this.#knownSource(name),
        stored: this.#storedSource(name),
        detected: detected === undefined ? undefined : { ...detected, urlOrigin: { layer: "detected" } },
        record: {
          ...record,
          provider: override?.provider ?? record.provider,
          url: override?.url ?? record.url,
        },
        recordOrigin: given
          ? { layer: "login" }
          : { layer: written?.layer ?? "constructor", file: written?.file },
      },
      this.#host.providers(),
    );
  }

  #knownSource(name: string): EndpointSource | undefined {
    for (const [provider, Provider] of this.#host.providers()) {
      const known = Provider.knownEndpoints?.find((endpoint) => endpoint.name === name);
      if (known !== undefined) return { provider, url: known.url, urlOrigin: { layer: "known" } };
    }
    return undefined;
  }

  #storedSource(name: string): EndpointSource | undefined {
    const [stored] = this.#host.credentials.of(name);
    if (stored === undefined) return undefined;
    const { provider, url, place } = stored;
    const layer = place === "project" ? "project" : "login";
    return { provider, url, urlOrigin: { layer, file: this.#host.credentials.fileOf(name, place) } };
  }

  #refuseName(name: string): undefined {
    this.#diagnose(
      `providers: ${JSON.stringify(name)} cannot name an endpoint; expected ${ENDPOINT_NAME_RULE}`,
      name,
    );
    return undefined;
  }

  #mention(endpoint: Endpoint): void {
    for (const text of [...endpoint.record.problems, endpoint.problem, this.withheld(endpoint)]) {
      if (text !== undefined) this.#diagnose(text, endpoint.name);
    }
  }

  #diagnose(message: string, name: string): void {
    const file = this.#host.settings.layersOf(["providers", name]).at(-1)?.file;
    this.#host.diagnose({ kind: "provider", message, ...(file === undefined ? {} : { file }) });
  }
}

function placeOf({ layer, file }: UrlOrigin): string {
  return file === undefined ? `the url of the ${layer} layer` : `the url in ${file}`;
}
