import { nearestName } from "@ashlar/context";
import { ToolError } from "./tool-error.js";

/** Refuses fields a tool does not have: one that is ignored may have mattered. Throws kind `usage`. */
export function checkFields(tool: string, input: object, known: readonly string[]): void {
  for (const field of Object.keys(input)) {
    if (known.includes(field)) continue;
    const near = nearestName(field, known);
    const hint = near === undefined ? `it has ${known.join(", ")}` : `did you mean ${near}?`;
    throw new ToolError("usage", `${tool} has no field ${JSON.stringify(field)}; ${hint}.`, {
      argument: field,
    });
  }
}

/** The text. Refuses what is none, and half characters, which no file can hold. Throws kind `usage`. */
export function checkText(argument: string, value: unknown): string {
  if (typeof value !== "string") {
    throw new ToolError("usage", `${argument}: wanted a string, came ${nameOf(value)}.`, { argument });
  }
  const half = value.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
  if (half < 0) return value;
  throw new ToolError(
    "usage",
    `${argument}: half a character (a lone surrogate) at position ${half + 1}; it cannot be written as UTF-8.`,
    { argument },
  );
}

function nameOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
