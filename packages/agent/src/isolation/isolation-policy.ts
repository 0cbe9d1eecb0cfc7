import { builtEnvironment } from "./built-environment.js";
import type { IsolationLimits } from "./isolation-limits.js";
import type { SandboxSettings } from "./sandbox-settings.js";

/** What a call may touch. Plain data; paths are absolute. Where paths nest, the longer one decides. */
export interface IsolationPolicy {
  /** Folders that may be written to; everything else is read-only. */
  readonly writeRoots: readonly string[];
  /** Stay read-only inside a write root, and cannot come into being there. */
  readonly readOnly: readonly string[];
  /** Show nothing. */
  readonly hidden: readonly string[];
  readonly network: "none" | "full";
  /** The whole environment; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly limits: IsolationLimits;
}

export interface PolicyFacts {
  /** The agent's folder, real. */
  readonly folder: string;
  /** May it write there? */
  readonly write: boolean;
  /** The user's folders of settings, sessions and state: nothing in them is a tool's business. */
  readonly privateFolders: readonly string[];
  /** Files with credentials that lie in the project. */
  readonly credentialFiles: readonly string[];
  /** Where other programs keep secrets. */
  readonly secretPlaces: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  /** The user chose the names himself. */
  readonly environmentChosen: boolean;
  readonly settings: SandboxSettings;
  /** Places that steer later agents, those that exist. */
  readonly steering: readonly string[];
  /** What the call says it will write: a tool that does so asks a person where that is called for. */
  readonly writes: readonly string[];
}

/** Decide what others run or who may do what: git's hooks and configuration, our settings, our jobs. */
export const PINNED_PLACES = [".git/hooks", ".git/config", "ai-settings.json", "ai-jobs"] as const;

/** The policy of one call. */
export function isolationPolicy(facts: PolicyFacts): IsolationPolicy {
  const { folder, write, settings } = facts;
  const { network, steering: rule, ...limits } = settings;
  const pinned = PINNED_PLACES.map((name) => `${folder}/${name}`);
  const steering = rule === "open" ? [] : facts.steering.filter((place) => !isNamed(place, facts.writes));
  const hidden = [...facts.privateFolders, ...facts.credentialFiles, ...facts.secretPlaces];
  return {
    writeRoots: write ? [folder] : [],
    readOnly: write ? [...pinned, ...steering] : [],
    hidden: [...new Set(hidden)].filter((path) => path !== folder).sort(),
    network,
    environment: builtEnvironment(facts.environment, facts.environmentChosen),
    cwd: folder,
    limits,
  };
}

function isNamed(place: string, writes: readonly string[]): boolean {
  return writes.some((path) => path === place || path.startsWith(`${place}/`));
}
