import { type AuthRecord, accept, type ModelMetadata, type ProviderClass } from "@ashlar/context/provider";
import type { Connection } from "@ashlar/env";
import type { Transport } from "@ashlar/env/transport";
import { IOError } from "./io-error.js";

export interface ConnectOptions {
  /** Default: the first endpoint the provider knows. */
  readonly url?: string;
  readonly model: string;
  /** Name of the endpoint in the qualified model. Default: the known endpoint's name, else the provider's label. */
  readonly endpoint?: string;
  /** A text is an API key. Kept in memory only. */
  readonly auth?: string | AuthRecord;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly info?: ModelMetadata;
  /** Default: one of the process, made at the first request. */
  readonly transport?: Transport;
}

/** A connection without an Env and without files. Throws kind `usage` for an option, `contract` for a class that is no provider. */
export function connect(Provider: ProviderClass, options: ConnectOptions): Connection {
  const provider = accept(Provider);
  const { model, settings = {}, info = {}, transport = sharedTransport } = options;
  if (typeof model !== "string" || model.trim() === "") {
    throw new IOError("usage", "connect: model is missing; give the name of a model at this endpoint.", {
      argument: "model",
    });
  }
  const auth = typeof options.auth === "string" ? apiKey(options.auth) : options.auth;
  return {
    endpoint: endpointName(provider, options),
    model: model.trim(),
    Provider: provider,
    url: endpointUrl(provider, options),
    settings,
    info,
    transport,
    auth: () => auth,
  };
}

function apiKey(token: string): AuthRecord {
  if (token.trim() !== "") return { type: "api_key", token: token.trim() };
  throw new IOError("usage", "connect: auth is an empty text; give the API key, or leave it out.", {
    argument: "auth",
  });
}

function endpointUrl(provider: ProviderClass, { url }: ConnectOptions): string {
  const address = url?.trim() ?? provider.knownEndpoints?.[0]?.url;
  if (address === undefined) {
    const text = `connect: url is missing, and the provider "${provider.provider.label}" knows no endpoint of its own.`;
    throw new IOError("usage", text, { argument: "url" });
  }
  if (URL.canParse(address) && address.includes("://")) return address;
  const proposal = /^[\w.-]+(:\d+)?(\/|$)/.test(address) ? `http://${address}` : "http://127.0.0.1:11434";
  const text = `connect: url ${JSON.stringify(address)} is no URL; give one such as ${proposal}.`;
  throw new IOError("usage", text, { argument: "url" });
}

/** A given url may be any server: it keeps the known name only where it is that endpoint's. */
function endpointName(provider: ProviderClass, { endpoint, url }: ConnectOptions): string {
  if (endpoint !== undefined && endpoint.trim() !== "") return endpoint.trim();
  const known = provider.knownEndpoints ?? [];
  const named = url === undefined ? known[0] : known.find((each) => each.url === url.trim());
  return named?.name ?? slug(provider.provider.label);
}

function slug(label: string): string {
  const name = label
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  return name === "" ? "endpoint" : name;
}

let loading: Promise<Transport> | undefined;

function loadTransport(): Promise<Transport> {
  loading ??= import("@ashlar/env/transport").then(({ createTransport }) => createTransport());
  return loading;
}

/** Loads the HTTP stack at the first request: connecting to a scripted model needs none. */
const sharedTransport: Transport = {
  request: async (request) => (await loadTransport()).request(request),
  fetch: async (url, init) => (await loadTransport()).fetch(url, init),
  close: async () => (await loading)?.close(),
};
