import type { SettingDescription } from "../env.js";
import { LAYERS } from "./core-settings.js";
import { describeSchema } from "./setting-check.js";
import { isSettingsData } from "./settings-data.js";
import { layerMaySet, type SettingEntries } from "./settings-schema.js";

const INTRODUCTION = `# Settings

Settings are JSON files with comments. Layers, weakest first:

| layer | where |
| --- | --- |
| package | shipped with \`@ashlar/env\` |
| packages | \`settings.json\` of each package that \`packages\` names |
| user | \`$XDG_CONFIG_HOME/ashlar/settings.json\` (\`$ASHLAR_HOME/config/settings.json\`) |
| project | \`ai-settings.json\` in the project folder |
| constructor | \`Env.open(folder, { settings })\` |

Objects merge by key, lists and everything else of a stronger layer replace. A key that its row does not list for a layer
is ignored there, and said. Unknown keys are kept, and mentioned. A file that does not parse does not count, is never
written over, and takes no other layer down.
`;

/** The settings page in Markdown: one table per owner. */
export function settingsDocument(schema: SettingEntries): string {
  const owners = [...new Set(Object.values(schema).map(({ owner }) => owner))];
  const sections = owners.map((owner) => {
    const rows = Object.entries(schema)
      .filter(([, entry]) => entry.owner === owner)
      .map(([key, entry]) => row(key, entry));
    const head = "| key | value | default | set by | meaning |\n| --- | --- | --- | --- | --- |";
    return `## ${owner}\n\n${head}\n${rows.join("\n")}\n`;
  });
  return [INTRODUCTION, ...sections].join("\n");
}

function row(key: string, entry: SettingDescription): string {
  const layers = LAYERS.filter((layer) => layerMaySet(entry, layer));
  const meaning =
    entry.rules === true ? `${entry.description} Every layer's list counts for itself.` : entry.description;
  const cells = [
    `\`${key}\``,
    describeSchema(isSettingsData(entry.schema) ? entry.schema : {}),
    entry.default === undefined ? "" : `\`${shortened(JSON.stringify(entry.default))}\``,
    layers.length === LAYERS.length ? "every layer" : layers.join(", "),
    meaning,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 297)}...` : text;
}
