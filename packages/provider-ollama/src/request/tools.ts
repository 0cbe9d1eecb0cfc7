import type { JsonSchema, ToolDescriptor } from "@ashlar/context/provider";
import { isRecord } from "../record.js";
import { SchemaProblem, type ShapedSchema, shapeSchema } from "./tool-schema.js";

export interface OllamaTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

/** Schemas are shared and read-only, so each is shaped once. */
const shaped = new WeakMap<JsonSchema, ShapedSchema | SchemaProblem>();

/** Translates tools. One whose schema no model could be told is left out, and `onProblem` is told why. */
export function toTools(
  tools: readonly ToolDescriptor[],
  onProblem: (text: string) => void,
): readonly OllamaTool[] {
  return tools.flatMap(({ name, description, inputSchema }) => {
    const schema = shapeOnce(inputSchema);
    if (schema instanceof SchemaProblem) {
      onProblem(`The tool ${name} was not offered to the model: in its input schema, ${schema.message}.`);
      return [];
    }
    const text = [description, ...schema.notes].filter(Boolean).join("\n");
    return [
      { type: "function" as const, function: { name, description: text, parameters: schema.parameters } },
    ];
  });
}

function shapeOnce(schema: JsonSchema): ShapedSchema | SchemaProblem {
  if (!isRecord(schema)) return new SchemaProblem("there is no object");
  const known = shaped.get(schema);
  if (known !== undefined) return known;
  const result = shapeOrProblem(schema);
  shaped.set(schema, result);
  return result;
}

function shapeOrProblem(schema: JsonSchema): ShapedSchema | SchemaProblem {
  try {
    return shapeSchema(schema);
  } catch (error) {
    if (error instanceof SchemaProblem) return error;
    throw error;
  }
}
