import { redactAuth } from "@ashlar/context";
import {
  nextToolRevision,
  type ToolContext,
  type ToolEnv,
  type ToolSettings,
  type ToolSkill,
  type ToolsRefresh,
  toolRevision,
} from "@ashlar/context/tool";
import { EnvError } from "../env-error.js";
import type { EnvHost, ToolRegistryPart } from "../env-host.js";
import { createReadOnlyProcess } from "./isolation/read-only-process.js";
import type { ToolIsolation } from "./isolation/tool-isolation.js";
import type { ProviderTools } from "./provider-tools.js";
import { isObject } from "./schema/plain-object.js";
import { callRefusal, isReadOnlyCall } from "./tool-call-rule.js";
import { type Catalogue, descriptors, joinSources, toolInfos } from "./tool-catalogue.js";
import type { ToolInfo, ToolValidation } from "./tool-info.js";
import { type Loaded, type LoadRequest, loadTools } from "./tool-loader.js";
import { unknownToolText } from "./tool-names.js";
import { publishedDescription } from "./tool-supplement.js";
import { createArgumentValidator } from "./validation/argument-validator.js";

export interface ToolRegistryOptions {
  /** The provider tools of a model, by its selector. Default: none. */
  readonly providerTools?: (selector: string) => ProviderTools | undefined;
  /** The skills that somebody saw last. Default: none. */
  readonly knownSkills?: () => readonly ToolSkill[];
  /** Puts a sandbox in the place of the process that can write no file. Asked at the first load. */
  readonly isolation?: (readOnlyProcess: ToolIsolation) => ToolIsolation;
}

/** The tools of one Env: the host's roots, then the packages that the settings name; never the project. */
export function createToolRegistry(host: EnvHost, options: ToolRegistryOptions = {}): ToolRegistryPart {
  const validator = createArgumentValidator();
  let loaded: ReadonlyMap<string, Loaded> = new Map();
  let catalogue: Catalogue = joinSources([]);
  let loading: Promise<unknown> = Promise.resolve();
  const env = toolEnv(host, options);

  const isolation = once(() => {
    const process = createReadOnlyProcess(host.environment);
    return options.isolation?.(process) ?? process;
  });
  const load = async (revision: number): Promise<ToolsRefresh> => {
    const before = publicNames(false);
    const problems: string[] = [];
    const diagnose = (message: string, file?: string): void => {
      problems.push(message);
      host.diagnose({ kind: "tool", message, ...(file === undefined ? {} : { file }) });
    };
    const parts = { env, isolation: isolation(), revision, loaded, diagnose };
    const fresh = await loadTools(loadRequest(host, parts));
    loaded = new Map(fresh.map((part) => [part.label, part]));
    const sources = fresh.flatMap((part) => part.sources);
    catalogue = joinSources(sources);
    for (const { message } of catalogue.duplicates) diagnose(message);
    for (const { label, settings } of sources) describeSettings(host, { label, settings }, diagnose);
    return { ...difference(before, publicNames(false)), problems };
  };
  // One load at a time, so that an older one never replaces what a newer one found.
  const queue = (revision: () => number): Promise<ToolsRefresh> => {
    const result = loading.then(() => load(revision()));
    loading = result;
    return result;
  };

  const infos = (safe: boolean, selector: string | undefined): ReadonlyMap<string, ToolInfo> => {
    const provider = selector === undefined ? undefined : options.providerTools?.(selector);
    return toolInfos(catalogue, { safe, provider });
  };
  const publicNames = (safe: boolean): readonly string[] =>
    [...catalogue.entries.values()]
      .map(({ info }) => info)
      .filter((info) => !info.secret && (!safe || info.safe))
      .map(({ name }) => name);

  const describe = (info: ToolInfo): string =>
    publishedDescription(info, env, (message) => host.diagnose({ kind: "tool", message }));

  const validate = (name: string, args: unknown): ToolValidation => {
    const entry = catalogue.entries.get(name);
    if (entry === undefined) return { ok: false, problems: [unknownToolText(name, publicNames(false))] };
    return validator.validate(entry.info.schema, args, entry.info.safe);
  };

  const call = async (name: string, args: unknown, context: ToolContext): Promise<unknown> => {
    const entry = catalogue.entries.get(name);
    if (entry === undefined)
      throw new EnvError("tool", unknownToolText(name, publicNames(context.safe)), { name });
    const readOnly = isReadOnlyCall(entry.info, args);
    const refusal = callRefusal(entry.info, { safe: context.safe, readOnly });
    if (refusal !== undefined)
      throw new EnvError("refused", `The tool ${name} was not run: ${refusal}.`, { name, reason: refusal });
    return entry.run(args, context);
  };

  return {
    load: async () => {
      await queue(toolRevision);
    },
    tools: infos,
    toolDescriptors: (names, selector) => descriptors(infos(false, selector), names, describe),
    toolValidate: validate,
    toolCall: (name, args, context, safe) => call(name, args, { ...context, safe: safe || context.safe }),
    toolsRefresh: () => queue(nextToolRevision),
    close: async () => {
      await loading;
    },
  };
}

function difference(before: readonly string[], tools: readonly string[]): Omit<ToolsRefresh, "problems"> {
  return {
    tools,
    added: tools.filter((name) => !before.includes(name)),
    removed: before.filter((name) => !tools.includes(name)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface LoadParts {
  readonly env: ToolEnv;
  readonly isolation: ToolIsolation;
  readonly revision: number;
  readonly loaded: ReadonlyMap<string, Loaded>;
  readonly diagnose: LoadRequest["diagnose"];
}

function loadRequest(host: EnvHost, { env, isolation, revision, loaded, diagnose }: LoadParts): LoadRequest {
  return {
    roots: host.options.tools ?? [],
    packages: host.packages().filter(({ kinds }) => kinds.includes("tools")),
    folders: asTexts(host.settings.read(["tools", "folders"])),
    revision,
    env,
    isolation,
    isolatedSettings: () => asFields(redactAuth(host.settings.read([]))),
    signal: host.signal,
    earlier: (label) => loaded.get(label)?.sources ?? [],
    diagnose,
  };
}

/** The environment as a tool module may see it: the settings are read anew each time. */
function toolEnv(host: EnvHost, { knownSkills }: ToolRegistryOptions): ToolEnv {
  return {
    cwd: host.cwd,
    get settings() {
      return asFields(host.settings.read([]));
    },
    get knownSkills() {
      return knownSkills?.() ?? [];
    },
  };
}

function asFields(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

function asTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function describeSettings(
  host: EnvHost,
  { label, settings }: { readonly label: string; readonly settings: ToolSettings },
  diagnose: (message: string) => void,
): void {
  if (Object.keys(settings).length === 0) return;
  try {
    host.settings.describe(
      label,
      Object.fromEntries(Object.entries(settings).map(([key, setting]) => [key, { schema: {}, ...setting }])),
    );
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    diagnose(`The settings of ${label} are left out: ${reason}`);
  }
}
