// Runs the steps of a script one after another, with a line a step, and the output of a step only when it fails.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

const HEARTBEAT_MS = 15_000;
const binaries = `${root}node_modules/.bin`;
export const environment = {
  ...process.env,
  PATH: `${binaries}:${process.env.PATH}`,
  TURBO_TELEMETRY_DISABLED: "1",
  DO_NOT_TRACK: "1",
  npm_config_update_notifier: "false",
};

/** Runs one command; resolves with its exit code and everything it printed. `show` prints it as it comes. */
export function run(command, args, { cwd = root, show = false, env = environment } = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const chunks = [];
    const take = (target) => (chunk) => {
      chunks.push(chunk);
      if (show) target.write(chunk);
    };
    child.stdout.on("data", take(process.stdout));
    child.stderr.on("data", take(process.stderr));
    child.on("error", (error) => resolve({ code: 127, output: `${command}: ${error.message}` }));
    child.on("close", (code, signal) =>
      resolve({
        code: code ?? 1,
        output: Buffer.concat(chunks).toString() + (signal ? `\nended by ${signal}` : ""),
      }),
    );
  });
}

const seconds = (since) => `${((Date.now() - since) / 1000).toFixed(0)} s`;

/** Runs one named step with a heartbeat; prints its output and throws when it fails. */
export async function step(name, work, remedy) {
  const since = Date.now();
  process.stdout.write(`… ${name}\n`);
  const heartbeat = setInterval(
    () => process.stdout.write(`  ${name}: ${seconds(since)} so far\n`),
    HEARTBEAT_MS,
  );
  try {
    const { code, output, note } = await work();
    if (code !== 0) {
      process.stdout.write(`${output.trimEnd()}\n`);
      throw new StepFailure(`${name} failed (exit ${code}).${remedy ? ` ${remedy}` : ""}`);
    }
    process.stdout.write(`✓ ${name} (${seconds(since)})${note ? `: ${note}` : ""}\n`);
  } finally {
    clearInterval(heartbeat);
  }
}

export class StepFailure extends Error {}

/** Runs a script's body and turns a failed step into one line and exit code 1. */
export async function main(body) {
  try {
    await body();
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    process.stderr.write(`✗ ${error.message}\n`);
    process.exitCode = 1;
  }
}
