import type { ToolSettings } from "@ashlar/context/tool";
import { isObject } from "./schema/plain-object.js";

/** Checks what `settingsSchema()` returned. Throws a TypeError that names the key. */
export function decodeSettings(value: unknown): ToolSettings {
  if (!isObject(value)) throw new TypeError("settingsSchema() must return an object of settings by key");
  return Object.fromEntries(
    Object.entries(value).map(([key, setting]) => {
      if (!isObject(setting) || typeof setting.description !== "string") {
        throw new TypeError(`settingsSchema(): ${key} needs a default and a description`);
      }
      return [key, { default: setting.default, description: setting.description }];
    }),
  );
}
