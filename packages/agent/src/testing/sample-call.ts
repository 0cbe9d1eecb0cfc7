import type { SampleCall } from "./subject.js";

const MAX_ARGUMENT_CHARACTERS = 200;

/** A call as a message names it. */
export function callText({ tool, args }: SampleCall): string {
  const text = JSON.stringify(args);
  return `${tool}(${text.length > MAX_ARGUMENT_CHARACTERS ? `${text.slice(0, MAX_ARGUMENT_CHARACTERS)}…` : text})`;
}
