import type { LayerName } from "../settings/layer-name.js";

export type PackageKind = "provider" | "tools" | "content";

/** A package that the settings key `packages` names, as it was found on disk. */
export interface InstalledPackage {
  readonly name: string;
  /** Absolute real path of its root. */
  readonly folder: string;
  readonly version: string;
  readonly kinds: readonly PackageKind[];
  /** The contract numbers it declares. */
  readonly contract: { readonly provider?: number; readonly tools?: number };
  /** Layer of the settings that name it. */
  readonly layer: LayerName;
  /** Absolute path of its main export; it may not exist. */
  readonly entry: string;
  /** The `ashlar` part of its package.json, as it stands there. */
  readonly manifest: Readonly<Record<string, unknown>>;
}
