import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { settingsTemplate } from "@ashlar/env";
import { CommandError } from "../command-error.js";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";

const FILE = "ai-settings.json";

/** Writes a project's settings file in which every known key stands as a comment. */
export async function initCommand(terminal: Terminal, flags: { readonly force?: true }): Promise<number> {
  return withEnv(terminal, {}, async (env) => {
    const file = join(env.cwd, FILE);
    try {
      await writeFile(file, settingsTemplate(env.settingsSchema()), { flag: flags.force ? "w" : "wx" });
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
      throw new CommandError("usage", `${FILE} is there already; --force overwrites it`, {
        argument: "--force",
      });
    }
    terminal.out.write(`wrote ${FILE}\n`);
    return 0;
  });
}
