import type { JsonSchema } from "@ashlar/context/tool";
import { jsonSchemaOf } from "./schema/json-schema-of.js";
import { isObject } from "./schema/plain-object.js";
import { schemaProblem } from "./schema/schema-problem.js";

/** The part of a description that is plain data, checked. */
export interface DescribedTool {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly safe: boolean;
  readonly trusted: boolean;
  readonly sandbox: boolean;
  readonly secret: boolean;
  readonly interactive: boolean;
  readonly replay: "never" | "safe";
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;
const FLAGS = ["safe", "trusted", "sandbox", "secret", "interactive"] as const;

/** Checks one entry of what `toolDescription` returned. A string says why it is left out. */
export function decodeDescription(name: string, entry: unknown): DescribedTool | string {
  if (!NAME.test(name)) return "a tool name has 1 to 64 letters, digits, _ or -";
  if (!isObject(entry)) return "its description must be an object with description and inputSchema";
  if (typeof entry.description !== "string" || entry.description.trim() === "") {
    return "description must be a text that tells a model what the tool does";
  }
  for (const flag of FLAGS) {
    if (entry[flag] !== undefined && typeof entry[flag] !== "boolean") return `${flag} must be true or false`;
  }
  const replay = entry.replay ?? "never";
  if (replay !== "never" && replay !== "safe") return 'replay must be "never" or "safe"';
  const schema = decodeSchema(entry.inputSchema);
  if (typeof schema === "string") return schema;
  const flag = (key: (typeof FLAGS)[number]): boolean => entry[key] === true;
  return {
    name,
    description: entry.description,
    schema,
    safe: flag("safe"),
    trusted: flag("trusted"),
    sandbox: flag("sandbox"),
    secret: flag("secret"),
    interactive: flag("interactive"),
    replay,
  };
}

function decodeSchema(input: unknown): JsonSchema | string {
  if (input === undefined || input === null) return "inputSchema is missing";
  try {
    // A schema object of a library may be a function; `jsonSchemaOf` checks what it is given.
    const schema = jsonSchemaOf(input as JsonSchema);
    return schemaProblem(schema) ?? { type: "object", ...schema };
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause);
  }
}
