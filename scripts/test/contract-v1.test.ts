import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Ajv from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const promised = new URL("contract-v1/", import.meta.url);

function json(file: string | URL): unknown {
  return JSON.parse(readFileSync(file, "utf8"));
}

interface ContractFile {
  readonly folder: string;
  readonly name: string;
  readonly content: Readonly<Record<string, unknown>>;
}

const contracts: readonly ContractFile[] = readdirSync(join(root, "packages")).flatMap((folder) => {
  const place = join(root, "packages", folder, "contract");
  if (!existsSync(place)) return [];
  return readdirSync(place).map((name) => ({
    folder,
    name,
    // Written by our own script, compared in CI.
    content: json(join(place, name)) as Readonly<Record<string, unknown>>,
  }));
});

function contract(name: string): Readonly<Record<string, unknown>> {
  const found = contracts.find((file) => file.name === `${name}-v1.json`);
  if (found === undefined) throw new Error(`no package has contract/${name}-v1.json`);
  return found.content;
}

function validatorOf(name: string): (value: unknown) => string {
  const ajv = new Ajv({ strict: false, allErrors: true });
  const validate = ajv.compile(contract(name));
  return (value) => (validate(value) ? "" : ajv.errorsText(validate.errors));
}

/** The required fields of each event, in whatever alternatives it is nested. */
function requiredFields(schema: unknown): ReadonlyMap<string, readonly string[]> {
  if (typeof schema !== "object" || schema === null) return new Map();
  // A JSON Schema, as the generator writes it.
  const { properties, required, anyOf, oneOf } = schema as {
    readonly properties?: { readonly type?: { readonly const?: string } };
    readonly required?: readonly string[];
    readonly anyOf?: readonly unknown[];
    readonly oneOf?: readonly unknown[];
  };
  const type = properties?.type?.const;
  if (type !== undefined) return new Map([[type, required ?? []]]);
  return new Map([...(anyOf ?? []), ...(oneOf ?? [])].flatMap((part) => [...requiredFields(part)]));
}

describe("what version 1 promised", () => {
  const lines = readFileSync(new URL("stream.ndjson", promised), "utf8").trim().split("\n");

  it("has every line of a version 1 stream pass the schema of today", () => {
    const problemOf = validatorOf("stream-event");
    const refused = lines.filter((line) => problemOf(JSON.parse(line)) !== "");
    expect(refused).toEqual([]);
  });

  it("has each of its event types in that stream", () => {
    const types = new Set(lines.map((line) => JSON.parse(line).type));
    expect([...types].sort()).toEqual(
      Object.keys(json(new URL("event-fields.json", promised)) as object).sort(),
    );
  });

  // Written beside this test, one list of fields for each type.
  const fields = json(new URL("event-fields.json", promised)) as Readonly<Record<string, readonly string[]>>;
  it.each(Object.entries(fields))("still promises the fields of %s", (type, names) => {
    expect(requiredFields(contract("stream-event")).get(type)).toEqual(expect.arrayContaining([...names]));
  });

  it("means the same by every exit code", () => {
    expect(contract("exit-codes").data).toMatchObject(json(new URL("exit-codes.json", promised)) as object);
  });

  // Written beside this test.
  const instances = json(new URL("instances.json", promised)) as Readonly<Record<string, readonly unknown[]>>;
  it.each(Object.entries(instances))("takes what was right for %s", (name, values) => {
    const problemOf = validatorOf(name);
    expect(values.map(problemOf).filter((problem) => problem !== "")).toEqual([]);
  });
});

describe("a contract file", () => {
  it.each(contracts)("is named on the stability page and published: $name", ({ folder, name }) => {
    expect(readFileSync(join(root, "docs/stability.md"), "utf8")).toContain(
      `packages/${folder}/contract/${name}`,
    );
    // A manifest of this repository.
    const manifest = json(join(root, "packages", folder, "package.json")) as {
      readonly files: readonly string[];
      readonly exports: Readonly<Record<string, unknown>>;
    };
    expect(manifest.files).toContain("contract");
    expect(manifest.exports).toHaveProperty(["./contract/*.json"], "./contract/*.json");
  });
});
