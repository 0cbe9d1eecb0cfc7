import { ContextError } from "../context-error.js";
import { isObject, nameOfValue } from "../json.js";
import { hintFor } from "../nearest-name.js";
import type { ProviderMetadata } from "./contract.js";

type Capabilities = ProviderMetadata["capabilities"];
type Check = (value: unknown) => string | undefined;

const text: Check = (value) =>
  typeof value === "string" && value !== "" ? undefined : "a text that is not empty";
const flag: Check = (value) => (typeof value === "boolean" ? undefined : "true or false");
const milliseconds: Check = (value) =>
  typeof value === "number" && value >= 0 ? undefined : "milliseconds, 0 for none";
const texts: Check = (value) =>
  Array.isArray(value) && value.every((item) => text(item) === undefined) ? undefined : "an array of texts";
const tools: Check = (value) =>
  typeof value === "boolean" || isToolMap(value) ? undefined : "true, false or a map of tools by name";

function oneOf(...allowed: readonly string[]): Check {
  return (value) => (allowed.some((word) => word === value) ? undefined : allowed.join(" or "));
}

const FIELDS: Readonly<Record<keyof ProviderMetadata, Check>> = {
  label: text,
  capabilities: (value) => (isObject(value) ? undefined : "an object"),
  wire: oneOf("openai-responses", "openai-chat"),
  framing: oneOf("sse", "ndjson"),
  secret: flag,
  timeout: milliseconds,
  connectTimeout: milliseconds,
  firstEventTimeout: milliseconds,
  stuckTimeout: milliseconds,
};
const CAPABILITIES: Readonly<Record<keyof Capabilities, Check>> = {
  streaming: flag,
  thinking: texts,
  thinkingDefault: text,
  tools,
};

/** Checks the static `provider` of a class. Throws kind `contract`, naming the field. */
export function checkMetadata(value: unknown, name: string): void {
  const at = `${name}.provider`;
  if (!isObject(value))
    throw refused(name, at, `expected { label, capabilities }, got ${nameOfValue(value)}`);
  checkFields({ value, fields: FIELDS, required: ["label", "capabilities"], at, name });
  const { capabilities } = value;
  if (!isObject(capabilities)) return;
  const place = `${at}.capabilities`;
  checkFields({
    value: capabilities,
    fields: CAPABILITIES,
    required: ["streaming", "thinking", "tools"],
    at: place,
    name,
  });
  const { thinking, thinkingDefault } = capabilities;
  if (thinkingDefault !== undefined && Array.isArray(thinking) && !thinking.includes(thinkingDefault)) {
    throw refused(
      name,
      `${place}.thinkingDefault`,
      `expected one of the thinking modes, got ${String(thinkingDefault)}`,
    );
  }
}

/** Checks the static `knownEndpoints` of a class. */
export function checkEndpoints(value: unknown, name: string): void {
  if (value === undefined) return;
  const at = `${name}.knownEndpoints`;
  if (!Array.isArray(value)) throw refused(name, at, `expected an array, got ${nameOfValue(value)}`);
  value.forEach((endpoint: unknown, index) => {
    if (!isObject(endpoint))
      throw refused(name, `${at}[${index}]`, `expected an object, got ${nameOfValue(endpoint)}`);
    for (const field of ["name", "label", "url"]) {
      if (text(endpoint[field]) !== undefined)
        throw refused(name, `${at}[${index}].${field}`, "expected a text that is not empty");
    }
  });
}

interface FieldChecks {
  readonly value: Record<string, unknown>;
  readonly fields: Readonly<Record<string, Check>>;
  readonly required: readonly string[];
  readonly at: string;
  readonly name: string;
}

function checkFields({ value, fields, required, at, name }: FieldChecks): void {
  for (const field of required) {
    if (value[field] === undefined) throw refused(name, `${at}.${field}`, "it is required and missing");
  }
  for (const [field, member] of Object.entries(value)) {
    const check = Object.hasOwn(fields, field) ? fields[field] : undefined;
    if (check === undefined) {
      throw refused(name, `${at}.${field}`, `no such field${hintFor(field, Object.keys(fields))}`);
    }
    const wanted = member === undefined ? undefined : check(member);
    if (wanted !== undefined)
      throw refused(name, `${at}.${field}`, `expected ${wanted}, got ${nameOfValue(member)}`);
  }
}

function isToolMap(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isObject);
}

function refused(name: string, at: string, problem: string): ContextError<"contract"> {
  return new ContextError("contract", `${at}: ${problem}`, { name, member: at.slice(name.length + 1) });
}
