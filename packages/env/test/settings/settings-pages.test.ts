import { settingsDocument, settingsTemplate } from "@ashlar/env";
import * as jsonc from "jsonc-parser";
import { expect, it } from "vitest";
import { parseSettingsText } from "../../src/settings/settings-text.js";
import { openProject } from "../open-project.js";

it("renders one row for every known key, under its owner", async () => {
  const { env } = await openProject();
  const schema = env.settingsSchema();
  const page = settingsDocument(schema);
  for (const [key, { description }] of Object.entries(schema)) {
    const [row, ...more] = page.split("\n").filter((line) => line.startsWith(`| \`${key}\` |`));
    expect(more).toEqual([]);
    expect(row?.replaceAll("\\|", "")).toMatch(/^(\|[^|]+){5}\|$/u);
    expect(row).toContain(description.slice(0, 20));
  }
  expect(page).toContain("## @ashlar/env\n");
  expect(page).toContain("| `packages` | a list | `[]` | package, user, constructor |");
  expect(page).toContain(
    '| `tools.timeout` | a number above 0 or a text such as "30s" or "5m" | `120000` | every layer |',
  );
});

it("keeps a table whole whatever a description holds", () => {
  const entry = {
    schema: { type: "string" },
    default: "a|b",
    description: "x | y\nz",
    owner: "me",
    rules: true,
  };
  expect(settingsDocument({ key: entry })).toContain(
    '| `key` | a text | `"a\\|b"` | package, packages, user, constructor | x \\| y z Every layer\'s list counts for itself. |',
  );
});

it("renders a project file that says nothing yet, and says every default once its lines are taken in", async () => {
  const { env } = await openProject();
  const template = settingsTemplate(env.settingsSchema());
  expect(parseSettingsText(template, jsonc)).toMatchObject({ ok: true, data: {}, problems: [] });

  const taken = parseSettingsText(template.replaceAll(/^ {2}\/\/ /gmu, "  "), jsonc);
  expect(taken).toMatchObject({ ok: true, problems: [] });
  expect(taken.ok && taken.data).toEqual({
    model: "ollama/qwen3",
    providers: {},
    tools: { timeout: 120_000, timeoutLimit: 1_200_000, concurrency: 3 },
  });
  const opened = await openProject({ project: template.replaceAll(/^ {2}\/\/ /gmu, "  ") });
  expect(opened.env.diagnostics).toEqual([]);
});
