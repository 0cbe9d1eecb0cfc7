import { ContextError } from "../context-error.js";
import { isObject, nameOfValue } from "../json.js";
import { hintFor } from "../nearest-name.js";
import type { ToolDescription } from "./contract.js";

/** A type with its article, as an error names it. */
type FieldKind = "a string" | "an object" | "a boolean" | "a function";

const FIELDS: Readonly<Record<keyof ToolDescription, FieldKind>> = {
  description: "a string",
  inputSchema: "an object",
  supplement: "a function",
  safe: "a boolean",
  trusted: "a boolean",
  sandbox: "a boolean",
  interactive: "a boolean",
  secret: "a boolean",
  readOnly: "a function",
  writes: "a function",
  replay: "a string",
  onTimeout: "a function",
  fn: "a function",
};

/** Returns its argument, typed and checked. Throws kind `usage` for a field that the contract does not know or that has the wrong type. */
export function defineTool<Description extends ToolDescription>(description: Description): Description {
  for (const [field, value] of Object.entries(description)) checkField(field, value);
  if (description.description === "")
    throw refused("description", "expected a text that tells the model what the tool does");
  if (description.inputSchema === undefined) throw refused("inputSchema", "expected a schema, got nothing");
  if (description.replay !== undefined && description.replay !== "never" && description.replay !== "safe") {
    throw refused("replay", "expected never or safe");
  }
  return description;
}

function checkField(field: string, value: unknown): void {
  if (!isField(field)) {
    throw refused(field, `a tool has no such field${hintFor(field, Object.keys(FIELDS))}`);
  }
  const kind = FIELDS[field];
  // A schema of a library may be a function with properties.
  const fits =
    kind === "an object" ? isObject(value) || typeof value === "function" : kind.endsWith(` ${typeof value}`);
  if (!fits && value !== undefined) throw refused(field, `expected ${kind}, got ${nameOfValue(value)}`);
}

function isField(name: string): name is keyof ToolDescription {
  return Object.hasOwn(FIELDS, name);
}

function refused(field: string, problem: string): ContextError<"usage"> {
  return new ContextError("usage", `tool.${field}: ${problem}`, { argument: field });
}
