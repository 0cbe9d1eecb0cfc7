import { isAbsolute } from "node:path";
import type { EnvOptions } from "./env.js";
import { EnvError } from "./env-error.js";
import { isSettingsData, sameData } from "./settings/settings-data.js";

const NAMES = [
  "layers",
  "settings",
  "providers",
  "tools",
  "content",
  "collect",
  "credentials",
  "environment",
] as const;
const FILE_LAYERS: readonly string[] = ["package", "packages", "user", "project"];

/** Throws kind `usage` for a name or value that no option has. */
export function checkOptions(options: EnvOptions): void {
  const odd = Object.keys(options).find((name) => !NAMES.some((known) => known === name));
  if (odd !== undefined) throw misused(odd, `is no option; the options are ${NAMES.join(", ")}`);
  const layer = options.layers?.find((name) => !FILE_LAYERS.includes(name));
  if (layer !== undefined)
    throw misused("layers", `"${layer}" is no file layer; those are ${FILE_LAYERS.join(", ")}`);
  const relative = options.content?.find((folder) => !isAbsolute(folder));
  if (relative !== undefined) throw misused("content", `"${relative}" is no absolute path`);
  if (options.settings !== undefined && !isSettingsData(options.settings)) {
    throw misused("settings", "wants an object");
  }
}

/** Throws kind `usage`, naming the first option that is given and differs from what the open Env has. */
export function refuseOtherOptions(cwd: string, held: EnvOptions, given: EnvOptions): void {
  const differs = NAMES.find((name) => given[name] !== undefined && !sameOption(held[name], given[name]));
  if (differs === undefined) return;
  throw new EnvError(
    "usage",
    `Env.open: ${cwd} is open with another "${differs}". One folder has one Env: close it first, or open it with the same options or none.`,
    { argument: differs },
  );
}

/** Plain data by content, classes and functions by identity. */
function sameOption(held: unknown, given: unknown): boolean {
  if (Object.is(held, given)) return true;
  if (Array.isArray(held) && Array.isArray(given)) {
    return held.length === given.length && held.every((item, index) => sameOption(item, given[index]));
  }
  if (!isSettingsData(held) || !isSettingsData(given)) return false;
  if (sameData(held, given)) return true;
  const keys = Object.keys(held);
  return (
    keys.length === Object.keys(given).length &&
    keys.every((key) => Object.hasOwn(given, key) && sameOption(held[key], given[key]))
  );
}

function misused(argument: string, problem: string): EnvError<"usage"> {
  return new EnvError("usage", `Env.open: ${argument} ${problem}.`, { argument });
}
