import { realpathSync } from "node:fs";
import { createRequire } from "node:module";
import type { Ajv2020, ValidateFunction } from "ajv/dist/2020.js";
import { isObject } from "../schema/plain-object.js";
import type { ToolValidation } from "../tool-info.js";
import { coerceArguments } from "./argument-coercion.js";
import { argumentProblems } from "./argument-problems.js";
import { createSchemaShape } from "./schema-shape.js";
import { measureValue } from "./value-size.js";
import { valueText } from "./value-text.js";

const MAX_DEPTH = 200;
/** Beyond this many values only the first failure is looked for, so that bad input cannot make millions of errors. */
const MAX_VALUES_FOR_ALL_ERRORS = 10_000;

export interface ArgumentValidator {
  /** `safe`: the tool changes nothing, so unknown fields may be ignored. */
  readonly validate: (schema: object, args: unknown, safe: boolean) => ToolValidation;
}

/** Loads ajv at the first validation; each schema is compiled once. */
export function createArgumentValidator(): ArgumentValidator {
  const compilers = new Map<boolean, Ajv2020>();
  const compiled = new WeakMap<object, Map<boolean, ValidateFunction>>();

  const checkerOf = (schema: object, allErrors: boolean): ValidateFunction => {
    const known = compiled.get(schema) ?? new Map<boolean, ValidateFunction>();
    compiled.set(schema, known);
    const check = known.get(allErrors) ?? compilerOf(compilers, allErrors).compile(schema);
    known.set(allErrors, check);
    return check;
  };

  return {
    validate: (schema, args, safe) => {
      const size = measureValue(args, MAX_DEPTH);
      if (size === "too deep")
        return { ok: false, problems: [`arguments nest deeper than ${MAX_DEPTH} levels`] };
      try {
        return check(schema, args, { safe, checker: checkerOf(schema, size <= MAX_VALUES_FOR_ALL_ERRORS) });
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        return { ok: false, problems: [`the tool's own inputSchema does not work: ${reason}`] };
      }
    },
  };
}

function check(
  schema: object,
  args: unknown,
  { safe, checker }: { readonly safe: boolean; readonly checker: ValidateFunction },
): ToolValidation {
  if (isObject(args) && checker(args)) return { ok: true, args, notes: [] };
  const { value, notes } = coerceArguments(schema, args, { dropUnknown: safe });
  if (!isObject(value)) {
    return { ok: false, problems: [`arguments: wanted a JSON object, came ${valueText(value)}`] };
  }
  if (checker(value)) return { ok: true, args: value, notes };
  const shape = createSchemaShape(schema);
  return { ok: false, problems: argumentProblems({ errors: checker.errors ?? [], shape, args: value }) };
}

function compilerOf(compilers: Map<boolean, Ajv2020>, allErrors: boolean): Ajv2020 {
  const known = compilers.get(allErrors);
  if (known !== undefined) return known;
  const require = createRequire(import.meta.url);
  // Resolved here: after somebody's look at a pipe Node before 24 stays at the link that stands for the package, and
  // what ajv itself requires is not found from there.
  const file = realpathSync(require.resolve("ajv/dist/2020.js"));
  // `require` gives no types; this is the module of the type-only import above.
  const ajv = require(file) as { readonly Ajv2020: typeof Ajv2020 };
  const made = new ajv.Ajv2020({
    allErrors,
    strict: false,
    // Keywords are checked when they are compiled; to compile the schema of schemas first takes ten times as long.
    meta: false,
    validateSchema: false,
    validateFormats: false,
    verbose: true,
    addUsedSchema: false,
    logger: false,
  });
  compilers.set(allErrors, made);
  return made;
}
