import type { SettingDescription } from "../env.js";
import { EnvError } from "../env-error.js";
import type { PluginRegistry } from "../extend/plugin-registry.js";
import { coreSettings } from "./core-settings.js";
import type { SettingEntries } from "./settings-schema.js";

type Described = Readonly<Record<string, Omit<SettingDescription, "owner">>>;

/** The known keys of one Env: Env's own, those of plugins, and those that its tools describe. */
export class EnvSettingEntries {
  readonly #plugins: PluginRegistry;
  readonly #described = new Map<string, Described>();

  constructor(plugins: PluginRegistry) {
    this.#plugins = plugins;
  }

  /** Replaces what this owner described before. Throws kind `settings` for a key of another owner. */
  describe(owner: string, entries: Described): void {
    for (const key of Object.keys(entries)) {
      const other = this.#plugins.settingOwner(key) ?? this.#describer(key);
      if (other !== undefined && other !== owner) {
        throw new EnvError("settings", `The setting "${key}" of ${owner} belongs to ${other} already.`, {
          key,
        });
      }
    }
    this.#described.set(owner, entries);
  }

  #describer(key: string): string | undefined {
    return [...this.#described].find(([, entries]) => Object.hasOwn(entries, key))?.[0];
  }

  /** A plugin that came later wins over a tool's key. */
  all(): SettingEntries {
    const described = [...this.#described].flatMap(([owner, entries]) =>
      Object.entries(entries).map(([key, entry]) => [key, { ...entry, owner }] as const),
    );
    const owned = { ...coreSettings(), ...this.#plugins.settings() };
    return { ...owned, ...Object.fromEntries(described), ...owned };
  }
}
