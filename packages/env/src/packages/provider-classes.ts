import { pathToFileURL } from "node:url";
import { accept, type ProviderClass } from "@ashlar/context/provider";
import type { Diagnostic } from "../env.js";
import { EnvError } from "../env-error.js";
import type { InstalledPackage } from "./installed-package.js";
import { protocolName } from "./package-manifest.js";

/** The host's classes by protocol name. Throws kind `usage` for one that does not keep the contract. */
export function acceptHostProviders(
  providers: Readonly<Record<string, unknown>>,
): Map<string, ProviderClass> {
  const accepted = new Map<string, ProviderClass>();
  for (const [name, value] of Object.entries(providers)) {
    try {
      accepted.set(name, accept(value, name));
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new EnvError(
        "usage",
        `Env.open: providers.${name}: ${reason}`,
        { argument: `providers.${name}` },
        { cause },
      );
    }
  }
  return accepted;
}

/** Adds the classes of packages. One that fails, or whose name is taken, is left out and said. */
export async function loadPackageProviders(
  packages: readonly InstalledPackage[],
  providers: Map<string, ProviderClass>,
  diagnose: (diagnostic: Diagnostic) => void,
): Promise<void> {
  const packs = packages.filter(({ kinds }) => kinds.includes("provider"));
  const loaded = await Promise.allSettled(packs.map(loadProvider));
  for (const [index, pack] of packs.entries()) {
    const result = loaded[index];
    const name = protocolName(pack.name);
    if (result?.status === "fulfilled" && !providers.has(name)) {
      providers.set(name, result.value);
      continue;
    }
    const reason =
      result?.status === "rejected" ? messageOf(result.reason) : `the provider "${name}" is there already`;
    diagnose({ kind: "provider", message: `Package ${pack.name} is left out: ${reason}.`, file: pack.entry });
  }
}

async function loadProvider({ name, entry }: InstalledPackage): Promise<ProviderClass> {
  const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(entry).href);
  if (module.default !== undefined) return accept(module.default, name);
  const classes = new Set(
    Object.values(module).filter((value) => typeof value === "function" && "contract" in value),
  );
  const [only] = classes;
  if (classes.size > 1)
    throw new Error("it exports several provider classes; one should be the default export");
  return accept(only, name);
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
