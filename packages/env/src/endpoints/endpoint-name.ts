import { EnvError } from "../env-error.js";

/** Keys below `providers` that configure all endpoints and name none. */
const RESERVED: ReadonlySet<string> = new Set(["tools"]);
const SAFE_NAME = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

export const ENDPOINT_NAME_RULE =
  "letters, digits, dots, dashes and underscores, beginning with a letter or digit, at most 64";

/** A name that is safe in a file name and in `endpoint/model`. */
export function isEndpointName(name: string): boolean {
  return SAFE_NAME.test(name) && !name.endsWith(".") && !isReservedName(name);
}

export function isReservedName(name: string): boolean {
  return RESERVED.has(name);
}

/** Throws kind `usage` for a name that cannot be an endpoint's. */
export function checkEndpointName(name: string): void {
  if (isEndpointName(name)) return;
  const shown = JSON.stringify(name.slice(0, 80));
  throw new EnvError("usage", `${shown} cannot name an endpoint; expected ${ENDPOINT_NAME_RULE}`, {
    argument: "name",
  });
}
