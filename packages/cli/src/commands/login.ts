import { CommandError } from "../command-error.js";
import { withEnv } from "../open-env.js";
import { readInput } from "../read-input.js";
import type { Terminal } from "../terminal.js";

export interface LoginFlags {
  readonly url?: string;
  readonly provider?: string;
  readonly token?: string;
  readonly project?: true;
}

/** Tests credentials and stores them; nothing is stored when the test fails. */
export async function loginCommand(terminal: Terminal, name: string, flags: LoginFlags): Promise<number> {
  const token = flags.token ?? (await tokenFromInput(terminal));
  return withEnv(terminal, {}, async (env) => {
    const { scope, verified } = await env.login({
      name,
      scope: flags.project ? "project" : "user",
      token,
      ...(flags.url === undefined ? {} : { url: flags.url }),
      ...(flags.provider === undefined ? {} : { provider: flags.provider }),
    });
    const facts = Object.entries(verified).map(([key, value]) => `${key} ${String(value)}`);
    terminal.out.write(
      `${name}: signed in${facts.length > 0 ? ` (${facts.join(", ")})` : ""}; stored for the ${scope ?? "run"}\n`,
    );
    return 0;
  });
}

async function tokenFromInput(terminal: Terminal): Promise<string> {
  if (!terminal.input) {
    throw new CommandError("usage", "no credential: give --token <key>, or pipe it in on stdin", {
      argument: "--token",
    });
  }
  const [first = ""] = (await readInput(terminal)).split("\n");
  const token = first.trim();
  if (token === "")
    throw new CommandError("usage", "the credential on stdin is empty", { argument: "stdin" });
  return token;
}
