import { spawnSync } from "node:child_process";
import { chownSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Probe, SandboxPolicy } from "../../src/index.js";
import type { Identity } from "./identity.js";
import type { Playground } from "./playground.js";

export interface DrivenRun {
  readonly name: string;
  readonly command: readonly string[];
  readonly policy: SandboxPolicy;
  readonly options?: { readonly probe: Probe };
}

/** Of a run, with its output as text; or of the error it ended with. */
export interface DrivenResult {
  readonly name: string;
  readonly outcome?: string;
  readonly exitCode?: number | null;
  readonly signal?: string | null;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly kind?: string;
  readonly error?: string;
}

const driverFile = fileURLToPath(new URL("../fixtures/driver.mjs", import.meta.url));
const LIMIT_MS = 120_000;

/** Does the runs in a process of that user, with the built package. */
export function drive(
  identity: Identity,
  place: Playground,
  runs: readonly DrivenRun[],
): readonly DrivenResult[] {
  const driver = join(place.base, "driver.mjs");
  const plan = join(place.base, "plan.json");
  writeFileSync(driver, readFileSync(driverFile));
  writeFileSync(plan, JSON.stringify({ runs }));
  chownSync(plan, identity.uid, identity.gid);
  const { stdout, stderr } = spawnSync(process.execPath, [driver, place.entry, plan], {
    uid: identity.uid,
    gid: identity.gid,
    cwd: place.base,
    env: { PATH: process.env.PATH },
    encoding: "utf8",
    timeout: LIMIT_MS,
  });
  const lines = stdout.split("\n").filter((line) => line !== "");
  if (lines.length !== runs.length)
    throw new Error(`${lines.length} of ${runs.length} runs ended: ${stderr}`);
  return lines.map((line) => JSON.parse(line));
}
