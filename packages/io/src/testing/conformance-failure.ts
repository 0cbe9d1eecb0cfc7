import { AshlarError } from "@ashlar/context";

export interface ConformanceFailureDetails {
  readonly expected: string;
  readonly came: string;
}

/** A provider does not do what the contract asks; says what was expected and what came. */
export class ConformanceFailure extends AshlarError<"conformance", ConformanceFailureDetails> {
  constructor(expected: string, came: string) {
    super("conformance", `expected ${expected}; came ${came}`, { expected, came });
  }
}

export function isConformanceFailure(value: unknown): value is ConformanceFailure {
  return value instanceof Error && value.name === "ConformanceFailure" && "details" in value;
}
