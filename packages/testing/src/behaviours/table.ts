import { answers } from "./answers.js";
import type { Behaviour } from "./behaviour.js";
import { failures } from "./failures.js";
import { refusals } from "./refusals.js";

/** Every model of the fake servers; the README's table and `fake-llm --help` are made of it. */
export const behaviours: readonly Behaviour[] = [...answers, ...refusals, ...failures];

/** The behaviour of a model name, with or without `:latest`. */
export function behaviourOf(model: string): Behaviour | undefined {
  return behaviours.find(({ name }) => name === bareName(model));
}

export function bareName(model: string): string {
  return model.replace(/:latest$/, "");
}
