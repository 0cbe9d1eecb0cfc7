import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { streamEventSchema } from "@ashlar/agent";
import Ajv from "ajv/dist/2020.js";
import { beforeAll, describe, expect, it } from "vitest";

const PAGE = new URL("../../docs/guides/events.md", import.meta.url);
const ashlar = fileURLToPath(new URL("../../packages/cli/bin/ashlar.js", import.meta.url));
const run = promisify(execFile);

/** The events that the page's command gives in a folder as the page describes it, one line each. */
async function recordedRun(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ashlar-events-"));
  try {
    await writeFile(join(folder, "README.md"), "# Stone bridge\n");
    const env = { ...process.env, ASHLAR_HOME: join(folder, "home") };
    const args = [ashlar, "agent", "--no-session", "--model", "test/read", "Read README.md."];
    return (await run(process.execPath, args, { cwd: folder, env })).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
}

interface Row {
  readonly types: readonly string[];
  readonly fields: readonly string[];
}

/** The rows of the page's tables; one may stand for several types. */
function documented(page: string): readonly Row[] {
  const names = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name);
  return [...page.matchAll(/^\| (`\w+`(?:, `\w+`)*) \| ([^|]+) \| [^|]+ \|$/gm)].map(
    ([, types = "", fields = ""]) => ({ types: names(types), fields: names(fields) }),
  );
}

interface ObjectSchema {
  readonly properties: Readonly<Record<string, { readonly const?: string }>>;
}

function isObjectSchema(value: unknown): value is ObjectSchema {
  return typeof value === "object" && value !== null && "properties" in value;
}

/** The schema of every event, in whatever alternatives it is nested. */
function eventSchemas(schema: unknown): readonly ObjectSchema[] {
  if (isObjectSchema(schema)) return [schema];
  if (typeof schema !== "object" || schema === null) return [];
  return ["anyOf", "oneOf"].flatMap((key) => {
    const alternatives: unknown = Reflect.get(schema, key);
    return Array.isArray(alternatives) ? alternatives.flatMap(eventSchemas) : [];
  });
}

describe("docs/guides/events.md", () => {
  let page = "";
  beforeAll(async () => {
    page = await readFile(PAGE, "utf8");
  });

  it("shows what its command prints", async () => {
    const [, shown] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
    expect(shown).toBe(await recordedRun());
  });

  it("shows events that its schema accepts", () => {
    const accepts = new Ajv({ strict: false }).compile(streamEventSchema);
    const [, shown = ""] = /^```json\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const lines = shown.trimEnd().split("\n");
    expect(lines.filter((line) => !accepts(JSON.parse(line)))).toEqual([]);
    expect(lines.length).toBeGreaterThan(10);
  });

  it("names every event and every field of the schema, and no other", () => {
    // An event that comes in several shapes has the fields of all of them.
    const fieldsOf = new Map<string, readonly string[]>();
    for (const { properties } of eventSchemas(streamEventSchema)) {
      const { type, ...fields } = properties;
      const name = type?.const ?? "";
      fieldsOf.set(name, [...(fieldsOf.get(name) ?? []), ...Object.keys(fields)]);
    }
    const rows = documented(page);
    expect(rows.flatMap(({ types }) => types).sort()).toEqual([...fieldsOf.keys()].sort());
    for (const { types, fields } of rows) {
      const known = new Set(types.flatMap((type) => fieldsOf.get(type) ?? []));
      expect([types, [...fields].sort()]).toEqual([types, [...known].sort()]);
    }
  });
});
