import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";

/** Forgets an endpoint's credentials. */
export async function logoutCommand(terminal: Terminal, name: string): Promise<number> {
  return withEnv(terminal, {}, async (env) => {
    const { dynamic } = await env.logout(name);
    const rest = dynamic
      ? "; it comes from the environment or a running server, so it is found again next time"
      : "";
    terminal.out.write(`${name}: signed out${rest}\n`);
    return 0;
  });
}
