import { join } from "node:path";
import type { Connection } from "../connection.js";
import type { Endpoint } from "../endpoints/endpoint.js";
import type { Endpoints } from "../endpoints/endpoints.js";
import type { CataloguePart, EnvHost } from "../env-host.js";
import type { ProviderTools } from "../tools/provider-tools.js";
import { buildModels, providerTools } from "./build-models.js";
import { Collection } from "./collection.js";
import type { ModelInfo } from "./model-info.js";
import { ModelLists } from "./model-lists.js";
import { openConnection } from "./open-connection.js";
import { RecentModels } from "./recent-models.js";
import { isHidden, type SelectedModel, selectModel } from "./selector.js";

export interface CatalogueOptions {
  /** Waits before the endpoints that did not answer are asked again. */
  readonly retryDelaysMs?: readonly number[];
}

/** The models of one Env. Reading never waits: what is not collected yet is answered from the last start. */
export class Catalogue implements CataloguePart {
  readonly modelsReady: Promise<void>;
  readonly #host: EnvHost;
  readonly #endpoints: Endpoints;
  readonly #lists: ModelLists;
  readonly #recent: RecentModels;
  readonly #collection: Collection;
  readonly #ending = new AbortController();
  readonly #end = (): void => this.#ending.abort();
  #all: ReadonlyMap<string, ModelInfo> | undefined;
  #builtFrom: ReadonlyMap<string, Endpoint> | undefined;
  #offered: ReadonlyMap<string, ModelInfo> | undefined;
  #notice: NodeJS.Immediate | undefined;
  #revision = 0;

  constructor(host: EnvHost, endpoints: Endpoints, options: CatalogueOptions = {}) {
    this.#host = host;
    this.#endpoints = endpoints;
    const { writeFile, diagnose, cwd } = host;
    const stateFile = (name: string): string | undefined =>
      host.hasLayer("user") ? join(host.folders.state, name) : undefined;
    this.#lists = new ModelLists({ file: stateFile("models.json"), writeFile });
    this.#recent = new RecentModels({
      file: stateFile("recent-models.json"),
      project: cwd,
      writeFile,
      diagnose,
    });
    this.#collection = new Collection({
      endpoints,
      lists: this.#lists,
      signal: this.#ending.signal,
      onChange: this.#changed,
      diagnose,
      ...options,
    });
    host.signal.addEventListener("abort", this.#end, { once: true });
    host.onModelFields(this.#changed);
    endpoints.view.onChange(this.#changed);
    endpoints.onListing((endpoint, models) => {
      if (models === undefined) this.#lists.forget(endpoint.name);
      else this.#lists.set(endpoint, models);
      this.#changed();
    });
    this.modelsReady = host.options.collect === false ? Promise.resolve() : this.#collect();
  }

  readonly models = (secret: boolean): ReadonlyMap<string, ModelInfo> => {
    if (secret) return this.#everything();
    const everything = this.#everything();
    this.#offered ??= new Map([...everything].filter(([, info]) => !info.secret && !info.disabled));
    return this.#offered;
  };

  readonly connection = (
    selector: string,
    { remember = true }: { readonly remember?: boolean },
  ): Connection => {
    const selected = this.#select(selector);
    const connection = openConnection(
      selected,
      this.#endpoints,
      (endpoint) => this.#lists.of(endpoint)?.models[selected.model],
    );
    if (remember && !this.#isSecret(selected)) {
      this.#recent.remember(`${selected.endpoint.name}/${selected.model}`, new Date().toISOString());
      this.#changed();
    }
    return connection;
  };

  /** The tools that the provider of a qualified model brings, less those that are opted out. */
  readonly providerTools = (selector: string): ProviderTools | undefined => {
    const slash = selector.indexOf("/");
    const endpoint = this.#endpoints.view.find(selector.slice(0, Math.max(slash, 0)));
    if (endpoint === undefined) return undefined;
    const switches = this.#host.settings.read(["providers", "tools"]);
    return { endpoint: endpoint.name, tools: providerTools(endpoint, selector.slice(slash + 1), switches) };
  };

  readonly close = async (): Promise<void> => {
    this.#end();
    this.#host.signal.removeEventListener("abort", this.#end);
    clearImmediate(this.#notice);
    await this.modelsReady;
    await this.#collection.settled();
    await this.#recent.flush();
  };

  async #collect(): Promise<void> {
    // Whoever opens the Env goes first.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await this.#collection.firstPass();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#host.diagnose({ kind: "models", message: `collecting models failed: ${message}` });
    }
  }

  #select(selector: string): SelectedModel {
    const { view } = this.#endpoints;
    const preset = this.#host.settings.read(["model"]);
    return selectModel(selector, {
      models: this.#everything(),
      endpoint: (name) => view.find(name),
      endpointNames: () => view.names(),
      isListed: (endpoint) => {
        const known = this.#lists.of(endpoint);
        return known?.live === true && Object.keys(known.models).length > 0;
      },
      preset: typeof preset === "string" && preset.trim() !== "" ? preset : undefined,
      recent: this.#recent.pairs(),
    });
  }

  #isSecret({ endpoint, model }: SelectedModel): boolean {
    return endpoint.secret || isHidden(`${endpoint.name}/${model}`, this.#everything());
  }

  #everything(): ReadonlyMap<string, ModelInfo> {
    const endpoints = this.#endpoints.view.all();
    if (this.#all === undefined || this.#builtFrom !== endpoints) {
      this.#builtFrom = endpoints;
      this.#offered = undefined;
      const infos = [...endpoints.values()].flatMap((endpoint) => this.#modelsOf(endpoint));
      this.#all = new Map(infos.map((info) => [`${info.endpoint}/${info.model}`, info]));
    }
    return this.#all;
  }

  #modelsOf(endpoint: Endpoint): readonly ModelInfo[] {
    const { settings } = this.#host;
    const prefix = `${endpoint.name}/`;
    const recent = this.#recent.pairs().filter((pair) => pair.startsWith(prefix));
    const infos = buildModels({
      endpoint,
      loginRequired: this.#endpoints.view.loginRequired(endpoint),
      listing: this.#lists.of(endpoint)?.models,
      recent: recent.map((pair) => pair.slice(prefix.length)),
      lastUsed: (pair) => this.#recent.lastUsed(pair),
      projectLastUsed: (pair) => this.#recent.projectLastUsed(pair),
      toolSwitches: settings.read(["providers", "tools"]),
    });
    return infos.map((info) => Object.freeze(info));
  }

  readonly #changed = (): void => {
    this.#all = undefined;
    this.#offered = undefined;
    if (this.#ending.signal.aborted || this.#notice !== undefined) return;
    this.#notice = setImmediate(() => {
      this.#notice = undefined;
      this.#revision += 1;
      if (this.#host.options.collect !== false) this.#collection.refresh();
      this.#host.emitModelsChanged({ revision: this.#revision });
    });
  };
}

export function createCatalogue(host: EnvHost, endpoints: Endpoints, options?: CatalogueOptions): Catalogue {
  return new Catalogue(host, endpoints, options);
}
