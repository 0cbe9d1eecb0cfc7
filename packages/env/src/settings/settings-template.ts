import type { SettingDescription } from "../env.js";
import { isSettingsData } from "./settings-data.js";
import { layerMaySet, type SettingEntries, SettingsSchema } from "./settings-schema.js";

/** A new `ai-settings.json`: every key that a project may set, commented out, with its default and meaning. */
export function settingsTemplate(schema: SettingEntries): string {
  const settable = Object.entries(schema).filter(([, entry]) => layerMaySet(entry, "project"));
  const known = new SettingsSchema(Object.fromEntries(settable));
  const lines = linesOf(known, []).map((line) => `  // ${line}`);
  return [
    "// Settings of this project. Take the // off a line to set it; a setting inside a group needs the group's lines too.",
    "{",
    ...lines,
    "}",
    "",
  ].join("\n");
}

function linesOf(schema: SettingsSchema, group: readonly string[]): readonly string[] {
  return schema.namesIn(group).flatMap((name) => {
    const path = [...group, name];
    const entry = schema.at(path)?.entry;
    if (entry !== undefined) {
      const comment = entry.description === "" ? "" : ` // ${entry.description.replaceAll("\n", " ")}`;
      return [`${JSON.stringify(name)}: ${JSON.stringify(exampleOf(entry))},${comment}`];
    }
    return [`${JSON.stringify(name)}: {`, ...linesOf(schema, path).map((line) => `  ${line}`), "},"];
  });
}

/** The default; for a key without one, the schema's first example. */
function exampleOf({ schema, default: value }: SettingDescription): unknown {
  if (value !== undefined) return value;
  const { examples, type } = isSettingsData(schema) ? schema : { examples: undefined, type: undefined };
  if (Array.isArray(examples) && examples.length > 0) return examples[0];
  const blanks: Readonly<Record<string, unknown>> = { string: "", array: [], object: {}, boolean: false };
  return typeof type === "string" && Object.hasOwn(blanks, type) ? blanks[type] : null;
}
