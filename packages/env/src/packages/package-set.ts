import { realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import type { ProviderClass } from "@ashlar/context/provider";
import type { Diagnostic, LayerValue } from "../env.js";
import { exists, findPackages } from "./find-packages.js";
import type { InstalledPackage } from "./installed-package.js";
import { acceptHostProviders, loadPackageProviders } from "./provider-classes.js";

export interface PackageSetOptions {
  /** The user's data folder. */
  readonly data: string;
  /** The host's provider classes by protocol name. */
  readonly providers: Readonly<Record<string, unknown>>;
  readonly diagnose: (diagnostic: Diagnostic) => void;
}

/** The packages of one Env, and the provider classes of the host and of them. */
export class PackageSet {
  readonly #options: PackageSetOptions;
  readonly #host: ReadonlyMap<string, ProviderClass>;
  #packages: readonly InstalledPackage[] = [];
  #providers: ReadonlyMap<string, ProviderClass>;

  /** Throws kind `usage` for a host's class that does not keep the contract. */
  constructor(options: PackageSetOptions) {
    this.#options = options;
    this.#host = acceptHostProviders(options.providers);
    this.#providers = this.#host;
  }

  get packages(): readonly InstalledPackage[] {
    return this.#packages;
  }

  get providers(): ReadonlyMap<string, ProviderClass> {
    return this.#providers;
  }

  /** Finds what the strongest layer names, and loads its provider classes. */
  async load(layers: readonly LayerValue[]): Promise<void> {
    const naming = layers.at(-1);
    const { data, diagnose } = this.#options;
    if (naming === undefined) {
      this.#packages = [];
      this.#providers = this.#host;
      return;
    }
    this.#packages = await findPackages({
      names: Array.isArray(naming.value) ? naming.value.map(String) : [],
      layer: naming.layer,
      from: naming.file === undefined ? programFolder() : dirname(naming.file),
      installed: join(data, "packages"),
      leftOut: (message, file) =>
        diagnose({ kind: "package", message, ...(file === undefined ? {} : { file }) }),
    });
    const providers = new Map(this.#host);
    await loadPackageProviders(this.#packages, providers, diagnose);
    this.#providers = providers;
  }

  /** The settings files that packages bring, in their order. */
  async settingsFiles(): Promise<readonly string[]> {
    const files = this.#packages.map(({ folder }) => join(folder, "settings.json"));
    const there = await Promise.all(files.map(exists));
    return files.filter((_, index) => there[index]);
  }
}

/** Where the running program lies: its own imports are found from there, and so are the packages it names. */
function programFolder(): string {
  const program = process.argv[1];
  if (program === undefined) return process.cwd();
  try {
    return dirname(realpathSync(program));
  } catch (error) {
    if (error instanceof Error && "code" in error) return process.cwd(); // `node -e` may carry an argument there.
    throw error;
  }
}
