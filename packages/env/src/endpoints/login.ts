import { nearestName } from "@ashlar/context";
import type { AuthRecord, CatalogueQuery, ModelMetadata } from "@ashlar/context/provider";
import type { LoginOptions, LoginResult } from "../env.js";
import { EnvError } from "../env-error.js";
import { catalogueCall } from "./catalogue-call.js";
import type { CatalogueSide } from "./catalogue-side.js";
import { secretsOf } from "./credential.js";
import type { CredentialStore, Rollback } from "./credential-store.js";
import type { Detection } from "./detection.js";
import type { Endpoint } from "./endpoint.js";
import { checkEndpointName } from "./endpoint-name.js";
import type { EndpointView } from "./endpoint-view.js";

/** The time for each step that asks the server. */
const STEP_TIMEOUT_MS = 30_000;

export interface LoginParts {
  readonly view: EndpointView;
  readonly credentials: CredentialStore;
  readonly detection: Detection;
  readonly listed: (endpoint: Endpoint, models: Readonly<Record<string, ModelMetadata>> | undefined) => void;
  readonly signal: AbortSignal;
}

/**
 * Shapes the credentials, stores them, tests them and fetches the models. A step that fails takes back all before it,
 * in memory and on disk. Rejects with kind `usage`, `settings`, `auth`, `network`, `provider` or `cancelled`.
 */
export async function login(options: LoginOptions, parts: LoginParts): Promise<LoginResult> {
  const { name, scope } = options;
  const { view, credentials } = parts;
  checkEndpointName(name);
  if (scope !== undefined) credentials.requireScope(scope);
  const endpoint = loginTarget(options, view);
  const { url, origin, protocol, side } = endpoint;
  const call = caller(endpoint, options.token, parts.signal);
  const token = options.token?.trim();
  const auth = await call(() =>
    side.login({ url, ...(token === undefined || token === "" ? {} : { token }) }),
  );
  const rollback = await credentials.snapshot(name, scope ?? "memory");
  try {
    await credentials.put(name, scope ?? "memory", { auth, origin, provider: protocol, url });
    const query = (signal: AbortSignal): CatalogueQuery => ({ ...view.query(endpoint, signal), auth });
    const verified = await call((signal) => side.testConnection(query(signal)));
    const { models } = side;
    const listing = models === undefined ? undefined : await call((signal) => models(query(signal)));
    return committed({ options, endpoint, auth, verified, listing }, parts);
  } catch (error) {
    await takeBack(rollback, name, error);
    throw error;
  }
}

type Target = Endpoint & { readonly side: CatalogueSide };

/** The endpoint to log in to. Throws kind `usage` or `settings` when it has no usable address. */
function loginTarget({ name, url, provider }: LoginOptions, view: EndpointView): Target {
  const endpoint = view.find(name, { url, provider });
  if (endpoint === undefined) {
    const near = nearestName(name, view.names());
    const hint = near === undefined ? "" : ` Did you mean ${near}?`;
    throw new EnvError(
      "usage",
      `there is no endpoint ${JSON.stringify(name)}.${hint} For a server of your own give its url.`,
      {
        argument: "name",
      },
    );
  }
  if (endpoint.problem !== undefined || endpoint.Provider === undefined) {
    const problem = endpoint.problem ?? "";
    if (url !== undefined || provider !== undefined) {
      throw new EnvError("usage", problem.replace(`providers.${name}.url`, "url"), { argument: "url" });
    }
    throw new EnvError("settings", problem, { key: `providers.${name}` });
  }
  refuseProjectUrl(endpoint, view);
  return { ...endpoint, side: view.side(endpoint.Provider) };
}

/** A project's files may come from anybody: credentials go to a url of theirs only when the person names it. */
function refuseProjectUrl(endpoint: Endpoint, view: EndpointView): void {
  const { name, origin, url, urlOrigin } = endpoint;
  if (urlOrigin.layer !== "project" || view.authOf(name, origin) !== undefined) return;
  const file = urlOrigin.file ?? "the project's settings";
  throw new EnvError(
    "usage",
    `the url of ${name} comes from ${file} and leads to ${origin}. If your credentials shall go there, say so: ashlar login ${name} --url ${url.split("?")[0]}`,
    { argument: "url" },
  );
}

type Call = <T>(run: (signal: AbortSignal) => Promise<T>) => Promise<T>;

function caller({ name }: Endpoint, token: string | undefined, signal: AbortSignal): Call {
  const secrets = secretsOf(token === undefined ? undefined : { type: "api_key", token });
  return (run) => catalogueCall(run, { timeoutMs: STEP_TIMEOUT_MS, signal, endpoint: name, secrets });
}

interface Outcome {
  readonly options: LoginOptions;
  readonly endpoint: Target;
  readonly auth: AuthRecord;
  readonly verified: Readonly<Record<string, unknown>>;
  readonly listing: Readonly<Record<string, ModelMetadata>> | undefined;
}

function committed({ options, endpoint, auth, verified, listing }: Outcome, parts: LoginParts): LoginResult {
  const { name, scope } = options;
  const { view, credentials, detection } = parts;
  if (scope !== undefined) credentials.forgetMemory(name);
  detection.allow(name);
  view.authReport(name, "accepted");
  view.changed();
  const now = view.find(name) ?? endpoint;
  parts.listed(now, listing);
  return {
    name,
    endpoint: view.info(now),
    ...(scope === undefined ? {} : { scope }),
    auth: { type: auth.type },
    verified,
  };
}

async function takeBack(rollback: Rollback, name: string, reason: unknown): Promise<void> {
  try {
    await rollback();
  } catch (cause) {
    const why = reason instanceof Error ? reason.message : String(reason);
    const how = cause instanceof Error ? cause.message : String(cause);
    throw new EnvError(
      "settings",
      `the login to ${name} failed (${why}) and its earlier credentials could not be put back: ${how}`,
      {},
      { cause },
    );
  }
}
