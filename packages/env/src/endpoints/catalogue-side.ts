import type {
  AuthRecord,
  CatalogueQuery,
  LoginInput,
  ModelMetadata,
  ProviderClass,
} from "@ashlar/context/provider";
import { EnvError } from "../env-error.js";
import { isSettingsData } from "../settings/settings-data.js";
import { isAuthRecord } from "./credential.js";

/** The catalogue side of a provider class with everything it left out completed. */
export interface CatalogueSide {
  /** Undefined: nobody knows how to list this provider's models. */
  readonly models: ((query: CatalogueQuery) => Promise<Readonly<Record<string, ModelMetadata>>>) | undefined;
  /** Strict: rejects when the endpoint or the credentials do not work. */
  readonly testConnection: (query: CatalogueQuery) => Promise<Readonly<Record<string, unknown>>>;
  readonly login: (input: LoginInput) => Promise<AuthRecord>;
}

/** Protocols whose classes carry the catalogue side of the built-in wires. */
const WIRE_PROTOCOLS = { "openai-responses": "openai", "openai-chat": "openai-chat" } as const;

/** A class without `models` or `testConnection` gets those of the built-in provider whose wire completes it. */
export function catalogueSide(
  Provider: ProviderClass,
  providers: ReadonlyMap<string, ProviderClass>,
): CatalogueSide {
  const wire = providers.get(WIRE_PROTOCOLS[Provider.provider.wire ?? "openai-responses"]);
  const models =
    boundTo(Provider, Provider.models) ?? (wire === undefined ? undefined : boundTo(wire, wire.models));
  const ownTest = boundTo(Provider, Provider.testConnection);
  return {
    models: models === undefined ? undefined : async (query) => checkedModels(await models(query)),
    testConnection:
      ownTest ??
      (async (query) => (models === undefined ? {} : { models: Object.keys(await models(query)).length })),
    login: async (input) => checkedAuth(await (boundTo(Provider, Provider.login) ?? apiKeyLogin)(input)),
  };
}

/** Statics may use `this`. */
function boundTo<Input, Output>(
  Provider: ProviderClass,
  run: ((input: Input) => Output) | undefined,
): ((input: Input) => Output) | undefined {
  return run === undefined ? undefined : (input) => run.call(Provider, input);
}

async function apiKeyLogin({ token }: LoginInput): Promise<AuthRecord> {
  return token === undefined ? { type: "none" } : { type: "api_key", token };
}

function checkedAuth(value: unknown): AuthRecord {
  if (isAuthRecord(value)) return value;
  throw new EnvError("provider", "the provider's login gave no credentials of a known type", {});
}

function checkedModels(value: unknown): Readonly<Record<string, ModelMetadata>> {
  if (!isSettingsData(value))
    throw new EnvError("provider", "the provider gave a model list that is not an object", {});
  const entries = Object.entries(value).filter(([id]) => id !== "" && id !== "__proto__");
  return Object.fromEntries(entries.map(([id, metadata]) => [id, isSettingsData(metadata) ? metadata : {}]));
}
