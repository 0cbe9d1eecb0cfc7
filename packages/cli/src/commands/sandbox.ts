import { createPolicySource } from "@ashlar/agent";
import { probe, run } from "@ashlar/sandbox";
import { CommandError } from "../command-error.js";
import { CANCELLED_EXIT_CODE } from "../exit-code.js";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";

const OUTPUT_KEPT_BYTES = 4_096;

export interface SandboxFlags {
  readonly readOnly?: true;
}

/**
 * Runs a command as a tool's call would run: this folder writable and nothing else, the project's network rule, a built
 * environment. Its output and exit code are the command's own.
 */
export async function sandboxCommand(
  terminal: Terminal,
  command: readonly string[],
  flags: SandboxFlags,
): Promise<number> {
  if (command.length === 0)
    throw new CommandError("usage", "ashlar sandbox -- <command> [arguments…]", { argument: "command" });
  return withEnv(terminal, {}, async (env) => {
    const found = await probe({ environment: terminal.environment });
    const { confines, reason = "", remedy = "" } = found;
    if (!(confines.files && confines.network && confines.processes)) {
      throw new CommandError("refused", `no sandbox: ${reason} ${remedy}`.trim(), { reason });
    }
    const source = createPolicySource({
      env,
      folder: env.cwd,
      notice: (text) => terminal.err.write(`ashlar: ${text}\n`),
    });
    const { limits, ...policy } = await source.policy(flags.readOnly !== true);
    const { memoryBytes, ...others } = limits;
    const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
    const { outcome, exitCode, signal } = await run(
      command,
      {
        ...policy,
        // Below /tmp a folder that is no write root would not be seen at all.
        readable: [env.cwd],
        limits: {
          ...others,
          ...(memoryBytes !== undefined && { memoryBytes }),
          timeMs: null,
          outputBytes: OUTPUT_KEPT_BYTES,
        },
      },
      {
        probe: found,
        signal: terminal.cancelled,
        onOutput: ({ stream, bytes }) => {
          const sink = stream === "stdout" ? terminal.out : terminal.err;
          sink.write(decoders[stream].decode(bytes, { stream: true }));
        },
      },
    );
    if (outcome === "cancelled") return CANCELLED_EXIT_CODE;
    if (exitCode !== null) return exitCode;
    throw new CommandError("failed", `${command[0]} was ended by ${signal ?? outcome}`, {});
  });
}
