import { nearestName } from "@ashlar/context";
import type { Endpoint } from "../endpoints/endpoint.js";
import { EnvError } from "../env-error.js";
import type { ModelInfo } from "./model-info.js";

export interface SelectorScope {
  /** Every pair, hidden and disabled ones too, by `endpoint/model`. */
  readonly models: ReadonlyMap<string, ModelInfo>;
  /** An endpoint by name, also one that only its provider knows. */
  readonly endpoint: (name: string) => Endpoint | undefined;
  readonly endpointNames: () => readonly string[];
  /** The endpoint's server told this Env its models, and there are some. */
  readonly isListed: (endpoint: Endpoint) => boolean;
  /** The setting `model`. */
  readonly preset: string | undefined;
  /** Pairs used lately, the latest first. */
  readonly recent: readonly string[];
}

export interface SelectedModel {
  readonly endpoint: Endpoint;
  readonly model: string;
}

const MAX_CANDIDATES = 8;

/** Finds what a selector means. Throws kind `usage` with what would be right, or kind `refused` for what is disabled. */
export function selectModel(selector: string, scope: SelectorScope): SelectedModel {
  const wanted = selector.trim();
  const selected = wanted === "" ? withoutSelector(scope) : named(wanted, scope);
  const { endpoint, model } = selected;
  if (endpoint.record.models[model]?.disabled === true) {
    throw disabledError(endpoint, `providers.${endpoint.name}.models has ${JSON.stringify(model)} disabled`);
  }
  return selected;
}

/** Scripted and other secret models are never chosen unless they are named. */
function withoutSelector(scope: SelectorScope): SelectedModel {
  if (scope.preset !== undefined) return named(scope.preset, scope);
  for (const pair of scope.recent) {
    const selected = usable(pair, scope);
    if (selected !== undefined) return selected;
  }
  const offered = [...scope.models].filter(([, model]) => isOffered(model)).map(([candidate]) => candidate);
  const choice =
    offered.length === 0
      ? `No endpoint lists a model yet: log in with "ashlar login <endpoint>", or add one under "providers" in the settings.`
      : `There are ${listed(offered)}.`;
  throw usage(`no model was named and none was used before; name one as endpoint/model. ${choice}`);
}

/** A pair that was used, if it can be used now. */
function usable(pair: string, scope: SelectorScope): SelectedModel | undefined {
  const slash = pair.indexOf("/");
  const endpoint = scope.endpoint(pair.slice(0, slash));
  if (endpoint === undefined || endpoint.secret || endpoint.record.disabled) return undefined;
  const info = scope.models.get(pair);
  const available =
    info === undefined
      ? !scope.isListed(endpoint)
      : !info.disabled && !info.loginRequired && !isHidden(pair, scope.models);
  return available ? { endpoint, model: pair.slice(slash + 1) } : undefined;
}

function named(wanted: string, scope: SelectorScope): SelectedModel {
  const slash = wanted.indexOf("/");
  const prefix = slash < 0 ? wanted : wanted.slice(0, slash);
  const model = slash < 0 ? "" : wanted.slice(slash + 1);
  const endpoint = prefix === "" ? undefined : scope.endpoint(prefix);
  if (endpoint !== undefined) {
    if (endpoint.record.disabled) throw disabledError(endpoint, `providers.${endpoint.name}.disabled is set`);
    return {
      endpoint,
      model: model === "" ? defaultModel(endpoint, scope) : knownModel(endpoint, model, scope),
    };
  }
  return bareModel(wanted, scope);
}

function defaultModel(endpoint: Endpoint, { models }: SelectorScope): string {
  if (endpoint.record.model !== undefined) return endpoint.record.model;
  const own = [...models.values()].filter((info) => info.endpoint === endpoint.name && info.listed);
  const first = own.find((info) => !info.secret && !info.disabled) ?? (endpoint.secret ? own[0] : undefined);
  if (first !== undefined) return first.model;
  throw usage(
    `endpoint ${endpoint.name} lists no model; name one as ${endpoint.name}/<model>, or set providers.${endpoint.name}.model`,
  );
}

function knownModel(endpoint: Endpoint, model: string, scope: SelectorScope): string {
  const ids = [...scope.models.values()]
    .filter((info) => info.endpoint === endpoint.name)
    .map((info) => info.model);
  // Without a list the server decides, and a list of an earlier start may be old.
  if (ids.includes(model) || !scope.isListed(endpoint)) return model;
  // A tag that is left out means the latest.
  if (ids.includes(`${model}:latest`)) return `${model}:latest`;
  const near = nearestName(model, ids);
  const hint = near === undefined ? `it lists ${listed(ids)}` : `did you mean ${endpoint.name}/${near}?`;
  throw usage(`endpoint ${endpoint.name} has no model ${JSON.stringify(model)}; ${hint}`);
}

function bareModel(wanted: string, scope: SelectorScope): SelectedModel {
  const pairs = [...scope.models].filter(([, info]) => info.model === wanted && isOffered(info));
  const [first, second] = pairs;
  if (first === undefined) throw unknown(wanted, scope);
  if (second !== undefined) {
    throw usage(
      `several endpoints have a model ${JSON.stringify(wanted)}: ${listed(pairs.map(([pair]) => pair))}. Name one of them.`,
    );
  }
  const endpoint = scope.endpoint(first[1].endpoint);
  if (endpoint === undefined) throw unknown(wanted, scope);
  return { endpoint, model: wanted };
}

function unknown(wanted: string, scope: SelectorScope): EnvError {
  const shown = JSON.stringify(wanted);
  const offered = [...scope.models].filter(([, info]) => isOffered(info));
  const ids = offered.map(([, info]) => info.model);
  const [prefix = ""] = wanted.split("/");
  const endpoint = nearestName(prefix, scope.endpointNames());
  const near =
    nearestName(wanted, [...offered.map(([pair]) => pair), ...ids]) ??
    (endpoint && endpoint + wanted.slice(prefix.length));
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  const remedy = wanted.includes("/")
    ? `Log in with "ashlar login ${prefix}", or add "${prefix}" under "providers" in the settings.`
    : "A model is named as endpoint/model.";
  const subject = wanted.includes("/")
    ? `there is no endpoint ${JSON.stringify(prefix)} for ${shown}`
    : `no endpoint has a model ${shown}`;
  return usage(`${subject}.${hint} ${remedy}`);
}

/** The short name of a model that is offered is left out of lists as well, and hides nothing: without a tag means the latest. */
export function isHidden(pair: string, models: ReadonlyMap<string, ModelInfo>): boolean {
  if (models.get(pair)?.secret !== true) return false;
  const latest = models.get(`${pair}:latest`);
  return latest === undefined || !isOffered(latest);
}

function isOffered(info: ModelInfo): boolean {
  return !info.secret && !info.disabled;
}

function disabledError({ name }: Endpoint, reason: string): EnvError {
  return new EnvError("refused", `${name} cannot be used: ${reason}`, { name, reason });
}

function listed(names: readonly string[]): string {
  const more = names.length - MAX_CANDIDATES;
  return names.slice(0, MAX_CANDIDATES).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function usage(message: string): EnvError {
  return new EnvError("usage", message, { argument: "model" });
}
