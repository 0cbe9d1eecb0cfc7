import { fileURLToPath } from "node:url";
import { EnvError } from "../env-error.js";

/** Where the first copy left its path. */
export interface ProcessHolder {
  readonly get: () => string | undefined;
  readonly set: (file: string) => void;
}

const COPY = Symbol.for("ashlar.env.copy");
const processHolder: ProcessHolder = {
  get: () => {
    const file: unknown = Reflect.get(globalThis, COPY);
    return typeof file === "string" ? file : undefined;
  },
  set: (file) => {
    Reflect.set(globalThis, COPY, file);
  },
};

/**
 * Refuses a second copy of this package in the process: its Envs would be unknown to the first.
 * A query is another import of the same copy.
 */
export function claimProcess(moduleUrl: string, holder: ProcessHolder = processHolder): void {
  const url = new URL(moduleUrl);
  url.search = "";
  url.hash = "";
  const file = url.protocol === "file:" ? fileURLToPath(url) : url.href;
  const first = holder.get();
  if (first !== undefined && first !== file) {
    throw new EnvError(
      "extend",
      `Two copies of @ashlar/env in one process: ${first} and ${file}. Keep one: a library lists @ashlar/env in peerDependencies, and "npm ls @ashlar/env" shows who brings the second.`,
      { name: "@ashlar/env", owners: [first, file] },
    );
  }
  holder.set(file);
}
