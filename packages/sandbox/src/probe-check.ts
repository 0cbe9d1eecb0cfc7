import { existsSync } from "node:fs";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startConfined } from "./confined/start-confined.js";
import { type CheckResult, decodeCheckResult } from "./frames/frame.js";
import type { Mechanism } from "./mechanism.js";
import type { SandboxPolicy } from "./policy/policy.js";

const CHECK_TIME_MS = 60_000;
const CHECK_OUTPUT_BYTES = 16 * 1024;
const CHECK_FILE_BYTES = 1024 * 1024;

const policyFor = (inside: string, outside: string): SandboxPolicy => ({
  writeRoots: [inside],
  readable: [outside],
  network: "none",
  environment: {},
  cwd: inside,
  limits: { timeMs: CHECK_TIME_MS, outputBytes: CHECK_OUTPUT_BYTES, fileBytes: CHECK_FILE_BYTES },
});

function problemsOf(
  result: CheckResult | undefined,
  hasEscaped: boolean,
  mechanism: Mechanism,
): readonly string[] {
  if (!result) return ["what was tried inside gave no answer"];
  const problems: string[] = [];
  if (!result.wroteInside) problems.push("a write root could not be written to");
  if (result.wroteOutside || hasEscaped) problems.push("a file outside the write roots could be written");
  if (result.openedUnixSocket && mechanism === "bubblewrap") problems.push("a unix socket could be opened");
  return problems;
}

async function check(mechanism: Mechanism, program: string, folder: string): Promise<readonly string[]> {
  const inside = join(folder, "inside");
  const outside = join(folder, "outside");
  await Promise.all([mkdir(inside), mkdir(outside)]);
  const policy = policyFor(inside, outside);
  const escaped = join(outside, "escaped");
  let result: CheckResult | undefined;
  const confined = await startConfined({
    mechanism,
    program,
    policy,
    request: {
      environment: {},
      cwd: inside,
      check: { writable: join(inside, "written"), outside: escaped },
    },
    onFrame: (frame) => {
      if (frame.kind !== "checked") return;
      result = decodeCheckResult(frame.result);
      confined.end("exited");
    },
  });
  await confined.gone;
  return problemsOf(result, existsSync(escaped), mechanism);
}

/** Starts the whole profile and tries what must fail in it. Rejects with a `SandboxError` when it does not start. */
export async function checkMechanism(mechanism: Mechanism, program: string): Promise<readonly string[]> {
  const folder = await mkdtemp(join(await realpath(tmpdir()), "ashlar-probe-"));
  try {
    return await check(mechanism, program, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
