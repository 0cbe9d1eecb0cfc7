import type { LayerName, SettingDescription } from "../env.js";
import { schemaBelow } from "./setting-check.js";
import { deepFreeze, readPath, type SettingsData, type SettingsPath, withPath } from "./settings-data.js";

export type SettingEntries = Readonly<Record<string, SettingDescription>>;

/** A known key, with its path and what stands there or below. */
export interface KnownKey {
  readonly key: string;
  readonly path: SettingsPath;
  readonly entry: SettingDescription;
}

/** The known keys, ready to be asked by path. */
export class SettingsSchema {
  readonly entries: SettingEntries;
  readonly keys: readonly KnownKey[];
  readonly defaults: SettingsData;

  constructor(entries: SettingEntries) {
    this.entries = deepFreeze({ ...entries });
    this.keys = Object.entries(this.entries).map(([key, entry]) => ({ key, path: key.split("."), entry }));
    this.defaults = this.keys.reduce<SettingsData>(
      (data, { path, entry }) => (entry.default === undefined ? data : withPath(data, path, entry.default)),
      {},
    );
  }

  /** The known key that is the path or contains it. */
  at(path: SettingsPath): KnownKey | undefined {
    return this.keys.find((known) => isPrefix(known.path, path));
  }

  /** The known keys that stand below the path, the path itself included. */
  below(path: SettingsPath): readonly KnownKey[] {
    return this.keys.filter((known) => isPrefix(path, known.path));
  }

  /** What may stand at a path; undefined where anything may. */
  schemaOf(path: SettingsPath): unknown {
    const known = this.at(path);
    return known === undefined ? undefined : schemaBelow(known.entry.schema, path.slice(known.path.length));
  }

  /** Names that the schema knows at the level of a group; `[]` is the root. */
  namesIn(group: SettingsPath): readonly string[] {
    const names = this.below(group).flatMap((known) => known.path[group.length] ?? []);
    return [...new Set(names)];
  }

  /** Data at paths that no key and no group of keys covers. */
  unknownIn(data: SettingsData, group: SettingsPath = []): readonly SettingsPath[] {
    return Object.keys(data).flatMap((name) => {
      const path = [...group, name];
      if (this.at(path) !== undefined) return [];
      if (this.below(path).length === 0) return [path];
      const inner = readPath(data, [name]);
      return typeof inner === "object" && inner !== null ? this.unknownIn({ ...inner }, path) : [];
    });
  }
}

/** May a layer set the key? Without a list, every layer but the project's may. */
export function layerMaySet(entry: SettingDescription, layer: LayerName): boolean {
  return entry.layers === undefined ? layer !== "project" : entry.layers.includes(layer);
}

function isPrefix(start: SettingsPath, path: SettingsPath): boolean {
  return start.length <= path.length && start.every((key, index) => path[index] === key);
}
