import { writeEvent } from "../event-lines.js";
import { exitCodeOfKind } from "../exit-code.js";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";
import { promptOf } from "./prompt.js";
import { openOptionsOf, type RequestFlags } from "./request-flags.js";

/** One request without tools: every response event as a JSON line, the last one `done` or `error`. */
export async function ioCommand(
  terminal: Terminal,
  words: readonly string[],
  flags: RequestFlags,
): Promise<number> {
  const prompt = await promptOf(terminal, words);
  return withEnv(terminal, openOptionsOf(flags), async (env) => {
    const io = env.io(flags.model ?? "");
    const terminalEvent = await io.write(prompt, (event) => writeEvent(terminal.out, event), {
      signal: terminal.cancelled,
    });
    await io.close();
    if (terminalEvent.type === "done") return 0;
    terminal.err.write(`ashlar: ${terminalEvent.error}\n`);
    return exitCodeOfKind(terminalEvent.kind ?? "provider");
  });
}
