import { nearestName } from "@ashlar/context";
import type { ProviderClass } from "@ashlar/context/provider";
import type { LayerName } from "../env.js";
import { type BaseUrl, parseBaseUrl } from "./base-url.js";
import type { EndpointRecord } from "./endpoint-record.js";

/** Where a url was written. */
export interface UrlOrigin {
  readonly layer: LayerName | "known" | "detected" | "login";
  readonly file?: string | undefined;
}

/** One source's word on where an endpoint is. */
export interface EndpointSource {
  readonly provider: string | undefined;
  readonly url: string | undefined;
  readonly urlOrigin: UrlOrigin;
}

/** What all sources say about one name, weakest first: known to the provider, stored by a login, detected, settings. */
export interface EndpointSources {
  readonly name: string;
  readonly known: EndpointSource | undefined;
  readonly stored: EndpointSource | undefined;
  readonly detected: EndpointSource | undefined;
  readonly record: EndpointRecord;
  /** Layer and file of `providers.<name>.url`. */
  readonly recordOrigin: UrlOrigin;
}

/** One endpoint as it counts now. */
export interface Endpoint {
  readonly name: string;
  /** Protocol name. */
  readonly protocol: string;
  /** Absent: no provider of that name is registered. */
  readonly Provider: ProviderClass | undefined;
  readonly url: string;
  /** Scheme, host and port; empty for a url that is none. */
  readonly origin: string;
  readonly urlOrigin: UrlOrigin;
  readonly record: EndpointRecord;
  readonly dynamic: boolean;
  readonly secret: boolean;
  /** Only the provider knows it; it can be named, and is in no list. */
  readonly implicit: boolean;
  /** Why no request can be made, in one sentence with the key and what would be right. */
  readonly problem: string | undefined;
}

/** A custom server speaks Chat Completions: that wire is the one every compatible server has. */
export const DEFAULT_PROTOCOL = "openai-chat";

/** Merges the sources. Undefined: the name has no address anywhere, so that its record only states preferences. */
export function resolveEndpoint(
  sources: EndpointSources,
  providers: ReadonlyMap<string, ProviderClass>,
): Endpoint | undefined {
  const { name, known, stored, detected, record, recordOrigin } = sources;
  const written: EndpointSource = { provider: record.provider, url: record.url, urlOrigin: recordOrigin };
  const configured = written.url !== undefined || written.provider !== undefined;
  const nearest = [written, detected, stored, known].filter((source) => source !== undefined);
  const named = nearest.find(({ provider }) => provider !== undefined)?.provider;
  const protocol = named ?? DEFAULT_PROTOCOL;
  const Provider = providers.get(protocol);
  const address = nearest.find(({ url }) => url !== undefined) ?? firstKnown(named, Provider);
  if (address === undefined && !configured) return undefined;
  const base = parseBaseUrl({
    value: address?.url,
    key: `providers.${name}.url`,
    schemes: ownSchemes(Provider),
  });
  return {
    name,
    protocol,
    Provider,
    url: base.ok ? base.url : (address?.url ?? ""),
    origin: base.ok ? base.origin : "",
    urlOrigin: address?.urlOrigin ?? recordOrigin,
    record,
    dynamic: stored === undefined && detected !== undefined && record.url === undefined,
    secret: record.secret ?? Provider?.provider.secret ?? false,
    implicit: !configured && stored === undefined && detected === undefined,
    problem: problemOf(base, protocol, providers),
  };
}

/** A record that names its provider alone means the provider's first known server. */
function firstKnown(
  protocol: string | undefined,
  Provider: ProviderClass | undefined,
): EndpointSource | undefined {
  const url = Provider?.knownEndpoints?.[0]?.url;
  return protocol === undefined || url === undefined
    ? undefined
    : { provider: protocol, url, urlOrigin: { layer: "known" } };
}

/** A provider that reaches no network has a scheme of its own, which its known endpoints show. */
function ownSchemes(Provider: ProviderClass | undefined): readonly string[] {
  return (Provider?.knownEndpoints ?? [])
    .filter(({ url }) => URL.canParse(url))
    .map(({ url }) => new URL(url).protocol);
}

function problemOf(
  base: BaseUrl,
  protocol: string,
  providers: ReadonlyMap<string, ProviderClass>,
): string | undefined {
  if (!providers.has(protocol)) {
    const near = nearestName(protocol, providers.keys());
    const known =
      near === undefined
        ? `known are ${[...providers.keys()].join(", ") || "none"}`
        : `did you mean ${near}?`;
    return `no provider named ${JSON.stringify(protocol)} is registered; ${known}`;
  }
  return base.ok ? undefined : base.problem;
}
