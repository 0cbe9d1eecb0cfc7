import { chmod, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";

/** Tells our wrappers from files that somebody else put there. */
const MARK = "# Written by ashlar tools2bash.";
const EXECUTABLE = 0o755;

/** Writes a shell command for every tool that needs nobody to ask, and removes those whose tool is gone. */
export async function tools2bashCommand(terminal: Terminal): Promise<number> {
  return withEnv(terminal, {}, async (env) => {
    const folder = join(env.folders.data, "tools-bin");
    const names = [...env.tools().values()].filter(({ interactive }) => !interactive).map(({ name }) => name);
    await mkdir(folder, { recursive: true });
    for (const name of names) await writeWrapper(join(folder, name), name);
    const stale = await staleWrappers(folder, new Set(names));
    for (const name of stale) await rm(join(folder, name));
    terminal.out.write(
      `${folder}: ${names.length} commands${stale.length > 0 ? `, removed ${stale.join(", ")}` : ""}\n`,
    );
    terminal.err.write(`ashlar: to use them, put ${folder} on PATH\n`);
    return 0;
  });
}

async function writeWrapper(file: string, name: string): Promise<void> {
  await writeFile(file, `#!/bin/sh\n${MARK}\nexec ashlar tool ${name} "$@"\n`);
  await chmod(file, EXECUTABLE);
}

async function staleWrappers(folder: string, names: ReadonlySet<string>): Promise<readonly string[]> {
  const others = (await readdir(folder)).filter((name) => !names.has(name));
  const marked = await Promise.all(
    others.map(async (name) => (await readFile(join(folder, name), "utf8")).includes(MARK)),
  );
  return others.filter((_, index) => marked[index]);
}
