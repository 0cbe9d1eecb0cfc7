import { AshlarError } from "../error.js";

export interface StoreFailureDetails {
  readonly expected: string;
  readonly came: string;
}

/** A store does not do what the contract asks; says what was expected and what came. */
export class StoreFailure extends AshlarError<"conformance", StoreFailureDetails> {
  constructor(expected: string, came: string) {
    super("conformance", `expected ${expected}; came ${came}`, { expected, came });
    this.name = "StoreFailure";
  }
}
