import { nearestName } from "@ashlar/context";
import type { LayerName } from "../env.js";
import { checkSetting, type SettingFault } from "./setting-check.js";
import { readPath, type SettingsData, type SettingsPath, withPath } from "./settings-data.js";
import { layerMaySet, type SettingsSchema } from "./settings-schema.js";

/** Something to say about one key of one layer. */
interface LayerRemark {
  readonly path: SettingsPath;
  readonly message: string;
}

export interface Admission {
  readonly data: SettingsData;
  readonly remarks: readonly LayerRemark[];
}

/** What of a layer's data counts: nothing the layer may not set, nothing of a wrong type. Unknown keys stay and are mentioned. */
export function admitLayer(data: SettingsData, layer: LayerName, schema: SettingsSchema): Admission {
  const remarks: LayerRemark[] = [];
  let admitted = data;
  for (const { key, path, entry } of schema.keys) {
    if (readPath(admitted, path) === undefined) continue;
    if (!layerMaySet(entry, layer)) {
      remarks.push({ path, message: `${key} cannot be set ${placeOf(layer)} and is ignored there.` });
      admitted = withPath(admitted, path, undefined);
      continue;
    }
    let value = readPath(admitted, path);
    while (value !== undefined) {
      const fault = checkSetting(entry.schema, value);
      if (fault === undefined) break;
      const at = [...path, ...droppable(fault.path, value)];
      remarks.push({
        path: at,
        message: `${describeFault(path, fault)} The default or a weaker layer's value is used.`,
      });
      admitted = withPath(admitted, at, undefined);
      value = readPath(admitted, path);
    }
  }
  for (const path of groupFaults(admitted, schema)) {
    remarks.push({ path, message: `${path.join(".")}: wanted an object. It is ignored.` });
    admitted = withPath(admitted, path, undefined);
  }
  for (const path of schema.unknownIn(admitted)) {
    remarks.push({ path, message: describeUnknown(path, schema) });
  }
  return { data: admitted, remarks };
}

/** `tools.timeout: wanted a number above 0, not "x".` */
export function describeFault(path: SettingsPath, fault: SettingFault): string {
  const at = [...path, ...fault.path];
  const secret = at.some((key) => /key|token|secret|password|auth|header/iu.test(key));
  return `${at.join(".")}: wanted ${fault.wanted}, not ${secret ? "what it holds" : fault.given}.`;
}

/** A fault inside a list takes the whole list out, because lists never merge. */
function droppable(path: SettingsPath, value: unknown): SettingsPath {
  for (let depth = 0; depth < path.length; depth += 1) {
    if (Array.isArray(readPath(value, path.slice(0, depth)))) return path.slice(0, depth);
  }
  return path;
}

/** A scalar where nested keys are known would hide their defaults. */
function groupFaults(data: SettingsData, schema: SettingsSchema): readonly SettingsPath[] {
  const groups = schema.keys.flatMap(({ path }) =>
    path.slice(0, -1).map((_, index) => path.slice(0, index + 1)),
  );
  const faults = groups.filter((group) => {
    const value = readPath(data, group);
    return value !== undefined && (typeof value !== "object" || value === null || Array.isArray(value));
  });
  return [...new Map(faults.map((path) => [path.join("."), path])).values()];
}

function describeUnknown(path: SettingsPath, schema: SettingsSchema): string {
  const near = nearestName(path.at(-1) ?? "", schema.namesIn(path.slice(0, -1)));
  const hint = near === undefined ? "" : ` Did you mean ${[...path.slice(0, -1), near].join(".")}?`;
  return `${path.join(".")} is not a known setting; it is kept.${hint}`;
}

function placeOf(layer: LayerName): string {
  const places: Readonly<Record<LayerName, string>> = {
    package: "by the package",
    packages: "by a package",
    user: "by the user's settings",
    project: "by the project",
    constructor: "by the host",
  };
  return places[layer];
}
