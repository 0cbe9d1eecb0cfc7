import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { isObject } from "../../loop/json-object.js";
import type { DescribedEntry, ImportReply, ImportRequest, SampleClaim } from "../pack-message.js";
import type { Witness } from "./witness.js";

/** A module may do something a moment after its import, too. */
const AFTER_IMPORT_MS = 100;

/** Imports one module, reads what it describes, and says what else happened. Never rejects. */
export async function importTask(request: ImportRequest, witness: Witness): Promise<ImportReply> {
  const start = performance.now();
  let importMs = Number.NaN;
  try {
    const late = setTimeout(request.limitMs, undefined, { ref: false });
    // Some module; its members are asked for by name.
    const module: Readonly<Record<string, unknown>> | undefined = await Promise.race([
      import(/* @vite-ignore */ pathToFileURL(request.file).href),
      late,
    ]);
    importMs = Math.round(performance.now() - start);
    if (module === undefined) throw new Error(`its import did not end within ${request.limitMs} ms`);
    const tools = await entriesOf(module, request);
    await setTimeout(AFTER_IMPORT_MS);
    return { importMs, attempts: witness.take(), tools };
  } catch (error) {
    const failure = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const tookMs = Number.isNaN(importMs) ? Math.round(performance.now() - start) : importMs;
    return { importMs: tookMs, failure, attempts: witness.take(), tools: [] };
  }
}

async function entriesOf(
  module: Readonly<Record<string, unknown>>,
  request: ImportRequest,
): Promise<readonly DescribedEntry[]> {
  const describe = module.toolDescription ?? module.describe;
  if (typeof describe !== "function") throw new Error("it exports neither toolDescription nor describe");
  const described: unknown = describe({ cwd: request.folder, settings: request.settings });
  if (!isObject(described))
    throw new Error("toolDescription(env) returned no object of descriptions by name");
  if (typeof module.settingsSchema === "function") module.settingsSchema();
  const entries: DescribedEntry[] = [];
  for (const [name, entry] of Object.entries(described)) {
    const members = isObject(entry) ? entry : {};
    entries.push({
      name,
      ...(await fieldsOf(members)),
      callable: typeof module[name] === "function" || typeof members.fn === "function",
      claims: request.samples.flatMap(({ tool, args }, sample) =>
        tool === name ? [claimOf(members, args, sample)] : [],
      ),
    });
  }
  return entries;
}

async function fieldsOf(
  entry: Readonly<Record<string, unknown>>,
): Promise<Pick<DescribedEntry, "data" | "functions">> {
  const { inputSchema, ...others } = entry;
  const data: Record<string, unknown> = {};
  const functions: string[] = [];
  for (const [field, value] of Object.entries(others)) {
    if (typeof value === "function") functions.push(field);
    else data[field] = value;
  }
  return { data: { ...data, inputSchema: await plainSchema(inputSchema) }, functions };
}

/** Only a library's schema needs to be converted; the host then says what is wrong with the rest. */
async function plainSchema(schema: unknown): Promise<unknown> {
  const isLibrarys = (typeof schema === "function" || isObject(schema)) && "~standard" in schema;
  if (!isLibrarys) return schema;
  const { jsonSchemaOf } = await import("@ashlar/env");
  // Has the member that makes it one; the conversion checks the rest.
  return jsonSchemaOf(schema as Parameters<typeof jsonSchemaOf>[0]);
}

function claimOf(
  { readOnly, writes }: Readonly<Record<string, unknown>>,
  args: unknown,
  sample: number,
): SampleClaim {
  return {
    sample,
    ...(typeof readOnly === "function" && {
      readOnly: attempt(() => {
        const claim: unknown = readOnly(args);
        return typeof claim === "boolean" ? claim : `readOnly gave ${typeof claim}, not true or false`;
      }),
    }),
    ...(typeof writes === "function" && {
      writes: attempt(() => {
        const claim: unknown = writes(args);
        const isList = Array.isArray(claim) && claim.every((path) => typeof path === "string");
        return isList ? claim : "writes gave no list of paths";
      }),
    }),
  };
}

function attempt<T>(ask: () => T): T | string {
  try {
    return ask();
  } catch (error) {
    return `it threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
  }
}
