import { readFile, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { LayerName } from "../env.js";
import type { InstalledPackage, PackageKind } from "./installed-package.js";
import { isPackageName, isPackagePath, type Manifest, parseManifest } from "./package-manifest.js";

export interface PackageSearch {
  readonly names: readonly string[];
  readonly layer: LayerName;
  /** Folder of what names them: the settings file's, or the program's for the constructor's layer. */
  readonly from: string;
  /** `$XDG_DATA_HOME/ashlar/packages`. */
  readonly installed: string;
  /** Told what was left out, and what to do about it. */
  readonly leftOut: (message: string, file?: string) => void;
}

/** The packages that settings name. Nothing is scanned or installed; the order is that of the names. */
export async function findPackages(search: PackageSearch): Promise<readonly InstalledPackage[]> {
  const found = await Promise.all(search.names.map((name) => findPackage(name, search)));
  const unique = new Map<string, InstalledPackage>();
  for (const pack of found) if (pack !== undefined && !unique.has(pack.folder)) unique.set(pack.folder, pack);
  return [...unique.values()];
}

async function findPackage(name: string, search: PackageSearch): Promise<InstalledPackage | undefined> {
  const candidates = foldersFor(name, search);
  if (candidates === undefined) {
    search.leftOut(`packages: "${name}" is neither a package name nor a path that starts with "./" or "/".`);
    return undefined;
  }
  try {
    for (const candidate of candidates) {
      const text = await readText(join(candidate, "package.json"));
      if (text !== undefined)
        return await readPackage(text, { name, folder: await realpath(candidate) }, search);
    }
  } catch (error) {
    search.leftOut(
      `packages: "${name}" cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
    return undefined;
  }
  search.leftOut(
    `packages: "${name}" was not found in ${candidates.join(" or ")}. Install it: npm install --prefix ${search.installed} ${name}`,
  );
  return undefined;
}

function foldersFor(name: string, { layer, from, installed }: PackageSearch): readonly string[] | undefined {
  if (isPackagePath(name)) {
    return [name.startsWith("~") ? join(homedir(), name.slice(1)) : resolve(from, name)];
  }
  if (!isPackageName(name)) return undefined;
  // Folders above the user's settings may hold a project, so only the program's own place is followed upwards.
  const near = layer === "user" ? [from] : ancestors(from);
  return [
    ...near.map((folder) => join(folder, "node_modules", name)),
    join(installed, "node_modules", name),
    join(installed, name),
  ];
}

function ancestors(folder: string): readonly string[] {
  const parent = dirname(folder);
  return parent === folder ? [folder] : [folder, ...ancestors(parent)];
}

interface PackagePlace {
  readonly name: string;
  readonly folder: string;
}

async function readPackage(
  text: string,
  { name, folder }: PackagePlace,
  { layer, leftOut }: PackageSearch,
): Promise<InstalledPackage | undefined> {
  const file = join(folder, "package.json");
  let manifest: Manifest;
  try {
    manifest = parseManifest(text, name);
  } catch (error) {
    leftOut(`${file}: it does not parse (${error instanceof Error ? error.message : String(error)}).`, file);
    return undefined;
  }
  for (const sentence of manifest.refused) leftOut(`${file}: ${manifest.name} ${sentence}`, file);
  const kinds: PackageKind[] = [];
  if (manifest.contract.provider !== undefined) kinds.push("provider");
  if (manifest.contract.tools !== undefined) kinds.push("tools");
  if (await hasContent(folder)) kinds.push("content");
  if (kinds.length === 0) {
    if (manifest.refused.length === 0) {
      leftOut(
        `${file}: ${manifest.name} brings nothing: no "ashlar": { "tools": 1 } or { "provider": 1 } in it, and no skills, prompts, hooks or settings.json beside it.`,
        file,
      );
    }
    return undefined;
  }
  const { version, contract, ashlar, entry } = manifest;
  return {
    name: manifest.name,
    folder,
    version,
    kinds,
    contract,
    layer,
    manifest: ashlar,
    entry: join(folder, entry),
  };
}

async function hasContent(folder: string): Promise<boolean> {
  const found = await Promise.all(
    ["skills", "prompts", "hooks", "settings.json"].map((name) => exists(join(folder, name))),
  );
  return found.includes(true);
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false, // Whatever hinders a look at it, it cannot be used.
  );
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR")) {
      return undefined;
    }
    throw error;
  }
}
