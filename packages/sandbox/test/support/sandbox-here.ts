import { existsSync } from "node:fs";
import { probe } from "../../src/index.js";

const reasonOf = async (): Promise<string | undefined> => {
  if (process.platform !== "linux") return `these tests are for Linux, this is ${process.platform}`;
  const { mechanism, reason, remedy } = await probe();
  // A kernel that refuses is a fact of the machine; anything else is a fault of ours.
  if (mechanism === "none" && !/could not set the sandbox up|not on PATH|too old|forbids/.test(reason ?? ""))
    throw new Error(reason);
  return mechanism === "none" ? `${reason} ${remedy}` : undefined;
};

/** Why nothing can be run in a sandbox on this machine; undefined where it can. Printed once. */
export const noSandbox: string | undefined = await reasonOf();
if (noSandbox !== undefined) console.log(`not run: ${noSandbox}`);

export const PYTHON = "/usr/bin/python3";
export const noPython: string | undefined = existsSync(PYTHON) ? undefined : `${PYTHON} is not there`;
if (noPython !== undefined) console.log(`not run: ${noPython}`);
