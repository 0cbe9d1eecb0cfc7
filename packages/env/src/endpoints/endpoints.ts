import type { AuthRecord, ModelMetadata } from "@ashlar/context/provider";
import { EnvError } from "../env-error.js";
import type { EndpointsPart, EnvHost } from "../env-host.js";
import { createTransport } from "../transport/index.js";
import type { Transport } from "../transport/transport.js";
import { CredentialFiles } from "./credential-files.js";
import { CredentialStore } from "./credential-store.js";
import { Detection } from "./detection.js";
import type { Endpoint } from "./endpoint.js";
import { EndpointView } from "./endpoint-view.js";
import { login } from "./login.js";
import { logout } from "./logout.js";

/** Model metadata by id, as an endpoint's server lists it. */
export type ModelListing = Readonly<Record<string, ModelMetadata>>;

/** The endpoints of one Env, with what the model catalogue needs of them. */
export interface Endpoints extends EndpointsPart {
  readonly view: EndpointView;
  readonly credentials: CredentialStore;
  readonly detection: Detection;
  readonly transport: Transport;
  /** Called with the models that a login fetched, and with undefined after a logout. */
  readonly onListing: (listener: (endpoint: Endpoint, models: ModelListing | undefined) => void) => void;
}

export function createEndpoints(host: EnvHost): Endpoints {
  const transport = createTransport({ environment: host.environment });
  const { fetch } = transport;
  const { environment, providers, diagnose, settings, signal } = host;
  const credentials = new CredentialStore(credentialFiles(host));
  const detection = new Detection({ environment, providers, diagnose, fetch });
  const view = new EndpointView({ settings, providers, diagnose, credentials, detection, fetch });
  settings.onUpdate(view.changed);
  holdCredentials(host.options.credentials ?? {}, view, credentials);

  const listeners: ((endpoint: Endpoint, models: ModelListing | undefined) => void)[] = [];
  const listed = (endpoint: Endpoint, models: ModelListing | undefined): void => {
    for (const listener of listeners) listener(endpoint, models);
  };
  const parts = { view, credentials, detection, listed, signal };
  const inTurn = createQueue();
  return {
    view,
    credentials,
    detection,
    transport,
    endpoints: () => new Map([...view.all()].map(([name, endpoint]) => [name, view.info(endpoint)])),
    login: (options) => inTurn.run(() => login(options, parts)),
    logout: (name) => inTurn.run(() => logout(name, parts)),
    onListing: (listener) => void listeners.push(listener),
    close: async () => {
      await inTurn.idle();
      await transport.close();
    },
  };
}

/** Binds the host's credentials to where their endpoints are now, unless a project chose that place. */
function holdCredentials(
  given: Readonly<Record<string, AuthRecord>>,
  view: EndpointView,
  credentials: CredentialStore,
): void {
  for (const [name, auth] of Object.entries(given)) {
    const endpoint = view.find(name);
    const argument = `credentials.${name}`;
    if (endpoint === undefined) {
      throw new EnvError(
        "usage",
        `Env.open: ${argument}: there is no endpoint "${name}"; give it a url under providers.${name}.url`,
        { argument },
      );
    }
    if (endpoint.urlOrigin.layer === "project") {
      throw new EnvError(
        "usage",
        `Env.open: ${argument} is not sent to ${endpoint.origin}, which the project's settings chose; give the url yourself`,
        { argument },
      );
    }
    credentials.hold(name, { auth, origin: endpoint.origin });
  }
  view.changed();
}

function credentialFiles(host: EnvHost): readonly CredentialFiles[] {
  const folders = { user: host.folders.config, project: host.cwd } as const;
  return (["user", "project"] as const)
    .filter((scope) => host.hasLayer(scope))
    .map((scope) => new CredentialFiles({ scope, folder: folders[scope] }, host));
}

interface Queue {
  readonly run: <T>(step: () => Promise<T>) => Promise<T>;
  readonly idle: () => Promise<void>;
}

/** One login or logout at a time: each takes back only its own steps. */
function createQueue(): Queue {
  let last: Promise<void> = Promise.resolve();
  return {
    run: (step) => {
      const done = last.then(step);
      last = done.then(
        () => undefined,
        // The caller has the failure; the next in turn only waits.
        () => undefined,
      );
      return done;
    },
    idle: () => last,
  };
}
