import { join } from "node:path";
import type { Diagnostic, LayerName, LayerValue, SettingDescription } from "../env.js";
import { EnvError } from "../env-error.js";
import { type Admission, admitLayer, describeFault } from "./layer-admission.js";
import { checkSetting, describeValue } from "./setting-check.js";
import {
  deepFreeze,
  isControlKey,
  readPath,
  type SettingsData,
  type SettingsPath,
  withPath,
} from "./settings-data.js";
import { SettingsGraph } from "./settings-graph.js";
import type { SettingsNode } from "./settings-node.js";
import { layerMaySet, SettingsSchema } from "./settings-schema.js";

export interface LayeredSettingsOptions {
  /** Real path of the project folder. */
  readonly cwd: string;
  /** The user's settings folder. */
  readonly config: string;
  /** `settings.json` that the package ships, if it is there. */
  readonly packageFile: string | undefined;
  /** File layers to read and write. */
  readonly layers: readonly LayerName[];
  /** The constructor's layer. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly entries: Readonly<Record<string, SettingDescription>>;
  /** Told what could not be saved in the background. */
  readonly diagnose: (diagnostic: Diagnostic) => void;
}

interface Layer {
  readonly name: LayerName;
  readonly node: SettingsNode;
}

/** The settings of one project: layers over schema defaults, each admitting only what it may set. */
export class LayeredSettings {
  readonly #options: LayeredSettingsOptions;
  readonly #store = new SettingsGraph();
  readonly #layers: Layer[] = [];
  readonly #admissions = new WeakMap<SettingsNode, Admission>();
  readonly #defaults: SettingsNode;
  #schema: SettingsSchema;
  #saving: NodeJS.Immediate | undefined;

  constructor(options: LayeredSettingsOptions) {
    this.#options = options;
    this.#schema = new SettingsSchema(options.entries);
    this.#defaults = this.#store.attach({ data: this.#schema.defaults, readOnly: true });
    const has = (layer: LayerName): boolean => options.layers.includes(layer);
    if (has("package") && options.packageFile !== undefined) {
      this.#add("package", { source: options.packageFile, readOnly: true });
    }
    if (has("user")) this.#add("user", { source: join(options.config, "settings.json"), catchAll: true });
    if (has("project")) {
      this.#add("project", { source: join(options.cwd, "ai-settings.json"), within: options.cwd });
    }
    this.#add("constructor", { data: options.settings, catchAll: !has("user") });
    this.#refuseConstructorFaults();
  }

  get schema(): SettingsSchema {
    return this.#schema;
  }

  /** The known keys are others than before. */
  replaceEntries(entries: Readonly<Record<string, SettingDescription>>): void {
    this.#schema = new SettingsSchema(entries);
    this.#defaults.replace(this.#schema.defaults);
    this.#store.refresh();
  }

  /** The settings files of the packages in use, weakest first. */
  async replacePackages(files: readonly string[]): Promise<void> {
    for (const { node } of this.#layers.filter(({ name }) => name === "packages")) this.#store.detach(node);
    this.#layers.splice(0, this.#layers.length, ...this.#layers.filter(({ name }) => name !== "packages"));
    if (!this.#options.layers.includes("packages")) return;
    const first = this.#layers[0]?.name === "package" ? 1 : 0;
    for (const [index, source] of files.entries()) {
      this.#add("packages", { source, readOnly: true }, first + index);
    }
    await this.#store.poll();
  }

  #add(
    name: LayerName,
    source: { source?: string; data?: object; catchAll?: boolean; readOnly?: boolean; within?: string },
    index: number = this.#layers.length,
  ): void {
    const admit = (data: SettingsData, node: SettingsNode): SettingsData => this.#admit(name, data, node);
    // The first node holds the defaults.
    const node = this.#store.attach({ ...source, data: { ...source.data }, admit }, index + 1);
    this.#layers.splice(index, 0, { name, node });
  }

  #admit(layer: LayerName, data: SettingsData, node: SettingsNode): SettingsData {
    const admission = admitLayer(data, layer, this.#schema);
    this.#admissions.set(node, admission);
    if (layer !== "project") return admission.data;
    // Rule lists never merge: a project's list must not stand in for a stronger one where somebody reads the plain value.
    const rules = this.#schema.keys.filter(({ entry }) => entry.rules === true);
    return rules.reduce((kept, { path }) => withPath(kept, path, undefined), admission.data);
  }

  #refuseConstructorFaults(): void {
    for (const { path, key, entry } of this.#schema.keys) {
      const value = readPath(this.#options.settings, path);
      if (value === undefined) continue;
      if (!layerMaySet(entry, "constructor"))
        throw new EnvError("settings", `${key} cannot be set by the host.`, { key });
      const fault = checkSetting(entry.schema, value);
      if (fault !== undefined)
        throw new EnvError("settings", `settings: ${describeFault(path, fault)}`, { key });
    }
  }

  /** Reads the files that changed. */
  async poll(): Promise<void> {
    await this.#store.poll();
  }

  read(path: SettingsPath): unknown {
    return this.#store.read(path);
  }

  layersOf(path: SettingsPath): readonly LayerValue[] {
    this.#store.read([]); // Admits what changed.
    return this.#layers.flatMap(({ name, node }) => {
      const value = readPath(this.#admissions.get(node)?.data, path);
      if (value === undefined) return [];
      const found = { layer: name, value: deepFreeze(value) };
      return [node.file === undefined ? found : { ...found, file: node.file.file }];
    });
  }

  /**
   * To the layer that holds exactly this path: constructor (in memory), then project; else to the user's file. Saved at the
   * end of the tick. Throws kind `settings` for a wrong type, or when that file does not parse.
   */
  write(path: SettingsPath, value: unknown): void {
    this.#check(path, value);
    const known = this.#schema.at(path);
    if (known !== undefined && !layerMaySet(known.entry, "user")) {
      if (!layerMaySet(known.entry, "constructor")) {
        throw new EnvError("settings", `${known.key} cannot be set here.`, { key: known.key });
      }
      this.#layers.find(({ name }) => name === "constructor")?.node.write(path, value);
      this.#store.refresh();
      return;
    }
    if (!this.#store.write(path, value)) return;
    this.#saving ??= setImmediate(() => {
      this.#saving = undefined;
      this.#store.save().catch((error: unknown) => this.#options.diagnose(diagnosticOf(error)));
    });
  }

  #check(path: SettingsPath, value: unknown): void {
    const control = path.find(isControlKey);
    if (control !== undefined || value === undefined) return; // The store refuses the first and deletes for the second.
    const fault = checkSetting(this.#schema.schemaOf(path), value);
    if (fault !== undefined) throw wrongType(path, describeFault(path, fault));
    for (const { path: at, entry } of this.#schema.below(path)) {
      const inner = at.length > path.length ? readPath(value, at.slice(path.length)) : undefined;
      const innerFault = inner === undefined ? undefined : checkSetting(entry.schema, inner);
      if (innerFault !== undefined) throw wrongType(at, describeFault(at, innerFault));
    }
    const isGroup = this.#schema.at(path) === undefined && this.#schema.below(path).length > 0;
    if (isGroup && (typeof value !== "object" || value === null || Array.isArray(value))) {
      throw wrongType(path, `${path.join(".")}: wanted an object, not ${describeValue(value)}.`);
    }
  }

  /** Resolves when every write made so far is on disk; rejects with kind `settings` otherwise. */
  async flush(): Promise<void> {
    clearImmediate(this.#saving);
    this.#saving = undefined;
    await this.#store.save();
  }

  onUpdate(listener: () => void): void {
    this.#store.onNotice("updated", listener);
  }

  async close(): Promise<void> {
    try {
      await this.flush();
    } finally {
      await this.#store.close();
    }
  }

  /** What is wrong now: files that do not count, keys that are ignored or not known. */
  diagnostics(): readonly Diagnostic[] {
    this.#store.read([]); // Admits what changed.
    return this.#layers.flatMap(({ node }) => [
      ...fileDiagnostics(node),
      ...(this.#admissions.get(node)?.remarks ?? []).map(({ path, message }) => placed(node, path, message)),
    ]);
  }
}

function fileDiagnostics({ file }: SettingsNode): readonly Diagnostic[] {
  if (file === undefined) return [];
  const { problem, notes } = file;
  const found = notes.map(({ line, column, message }) => `${file.file}:${line}:${column}: ${message}.`);
  if (problem !== undefined) {
    const at = problem.line === undefined ? file.file : `${file.file}:${problem.line}:${problem.column}`;
    const use = file.hasData ? "What it held before goes on counting" : "It is not used";
    found.unshift(`${at}: ${problem.reason}. ${use}, and nothing is saved to it.`);
  }
  return found.map((message) => ({ kind: "settings", message, file: file.file }));
}

function placed({ file }: SettingsNode, path: SettingsPath, message: string): Diagnostic {
  if (file === undefined) return { kind: "settings", message: `Env.open settings: ${message}` };
  const place = file.placeOf(path);
  const at = place === undefined ? file.file : `${file.file}:${place.line}:${place.column}`;
  return { kind: "settings", message: `${at}: ${message}`, file: file.file };
}

function wrongType(path: SettingsPath, message: string): EnvError {
  return new EnvError("settings", message, { key: path.join(".") });
}

function diagnosticOf(error: unknown): Diagnostic {
  const message = error instanceof Error ? error.message : String(error);
  const file = error instanceof EnvError && "file" in error.details ? error.details.file : undefined;
  return typeof file === "string" ? { kind: "settings", message, file } : { kind: "settings", message };
}
