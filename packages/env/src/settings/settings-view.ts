import { EnvError } from "../env-error.js";
import { isSettingsData, type SettingsPath } from "./settings-data.js";

export interface SettingsAccess {
  readonly read: (path: SettingsPath) => unknown;
  readonly write: (path: SettingsPath, value: unknown) => void;
}

/** Settings as nested objects that are always current: reading reads, assigning and deleting write that path. Lists are frozen. */
export function createSettingsView(access: SettingsAccess): Record<string, unknown> {
  const views = new Map<string, Record<string, unknown>>();

  const valueAt = (path: SettingsPath): unknown => {
    const value = access.read(path);
    return isSettingsData(value) ? viewAt(path) : value;
  };

  const viewAt = (path: SettingsPath): Record<string, unknown> => {
    const id = JSON.stringify(path);
    const known = views.get(id);
    if (known !== undefined) return known;
    const view = new Proxy<Record<string, unknown>>({}, handlerAt(path));
    views.set(id, view);
    return view;
  };

  const dataAt = (path: SettingsPath): object => {
    const value = access.read(path);
    return isSettingsData(value) ? value : {};
  };

  const handlerAt = (path: SettingsPath): ProxyHandler<Record<string, unknown>> => ({
    get: (target, key) => {
      if (typeof key === "symbol" || !Object.hasOwn(dataAt(path), key)) return Reflect.get(target, key);
      return valueAt([...path, key]);
    },
    has: (target, key) => Object.hasOwn(dataAt(path), key) || Reflect.has(target, key),
    ownKeys: () => Reflect.ownKeys(dataAt(path)),
    getOwnPropertyDescriptor: (_, key) => {
      if (typeof key === "symbol" || !Object.hasOwn(dataAt(path), key)) return undefined;
      return { value: valueAt([...path, key]), writable: true, enumerable: true, configurable: true };
    },
    set: (_, key, value) => {
      access.write([...path, nameOf(key)], value);
      return true;
    },
    deleteProperty: (_, key) => {
      access.write([...path, nameOf(key)], undefined);
      return true;
    },
    defineProperty: (_, key, descriptor) => {
      if (!("value" in descriptor)) throw noAccessor(key);
      access.write([...path, nameOf(key)], descriptor.value);
      return true;
    },
    preventExtensions: () => false,
    setPrototypeOf: () => false,
  });

  return viewAt([]);
}

function nameOf(key: string | symbol): string {
  if (typeof key === "string") return key;
  throw new EnvError("settings", `Settings have text keys, not ${String(key)}.`, {});
}

function noAccessor(key: string | symbol): EnvError {
  return new EnvError("settings", `${String(key)}: settings hold values, not accessors.`, {
    key: String(key),
  });
}
