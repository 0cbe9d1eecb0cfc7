import { PROVIDER_CONTRACT } from "@ashlar/context/provider";
import { TOOL_CONTRACT } from "@ashlar/context/tool";
import { isSettingsData, type SettingsData } from "../settings/settings-data.js";

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly ashlar: SettingsData;
  readonly contract: { readonly provider?: number; readonly tools?: number };
  /** Path of the main export below the package's root. */
  readonly entry: string;
  /** Contracts it declares that this version does not know, one sentence each. */
  readonly refused: readonly string[];
}

const KNOWN = { provider: PROVIDER_CONTRACT, tools: TOOL_CONTRACT } as const;

/** Reads a package.json. Throws a SyntaxError for what is not JSON; `fallbackName` stands in for a missing name. */
export function parseManifest(text: string, fallbackName: string): Manifest {
  const parsed: unknown = JSON.parse(text);
  const manifest = isSettingsData(parsed) ? parsed : {};
  const ashlar = isSettingsData(manifest.ashlar) ? manifest.ashlar : {};
  const name = typeof manifest.name === "string" ? manifest.name : fallbackName;
  const contract: { provider?: number; tools?: number } = {};
  const refused: string[] = [];
  for (const kind of ["provider", "tools"] as const) {
    const declared = ashlar[kind];
    if (declared === undefined) continue;
    if (isAccepted(declared, KNOWN[kind])) contract[kind] = declared;
    else refused.push(describeRefusal(kind, declared));
  }
  return {
    name,
    version: typeof manifest.version === "string" ? manifest.version : "0.0.0",
    ashlar,
    contract,
    entry: entryOf(manifest),
    refused,
  };
}

/** This number and the one before it. */
function isAccepted(declared: unknown, known: number): declared is number {
  return typeof declared === "number" && declared >= 1 && (declared === known || declared === known - 1);
}

function describeRefusal(kind: keyof typeof KNOWN, declared: unknown): string {
  const known = KNOWN[kind];
  const remedy =
    typeof declared === "number" && declared > known
      ? "Update Ashlar, or install an older version of the package."
      : `Its package.json should say "ashlar": { "${kind}": ${known} }.`;
  return `declares ${kind} contract ${JSON.stringify(declared)}; this version knows ${known}. ${remedy}`;
}

function entryOf(manifest: SettingsData): string {
  const { exports, main } = manifest;
  const root = isSettingsData(exports) && Object.hasOwn(exports, ".") ? exports["."] : exports;
  return targetOf(root) ?? (typeof main === "string" ? main : "index.js");
}

/** The file of an export for an ESM import on Node. Conditions count in the order they stand. */
function targetOf(target: unknown): string | undefined {
  if (typeof target === "string") return target;
  if (!isSettingsData(target)) return undefined;
  for (const [condition, inner] of Object.entries(target)) {
    if (["import", "node", "module-sync", "default"].includes(condition)) {
      const file = targetOf(inner);
      if (file !== undefined) return file;
    }
  }
  return undefined;
}

/** `@scope/ashlar-provider-foo` → `foo`: the protocol name of the class it exports. */
export function protocolName(packageName: string): string {
  return packageName.replace(/^@[^/]+\//u, "").replace(/^(ashlar-)?provider-/u, "");
}

/** A package name, as npm allows it: no path in it. */
export function isPackageName(name: string): boolean {
  return /^(@[a-z0-9-~][a-z0-9-._~]*\/)?[a-z0-9-~][a-z0-9-._~]*$/u.test(name);
}

/** An entry of `packages` that is a path. */
export function isPackagePath(name: string): boolean {
  return /^(\.{1,2}$|\.{1,2}[\\/]|[\\/]|~[\\/]|[A-Za-z]:[\\/])/u.test(name);
}
