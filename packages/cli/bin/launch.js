// Committed, so that an install links the binaries before the first build.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const built = new URL("../dist/index.js", import.meta.url);

/** Starts the command line on these arguments and ends the process with its exit code. */
export async function launch(args) {
  if (!existsSync(fileURLToPath(built))) {
    process.stderr.write("ashlar: not built yet. Run `npm run build` in the workspace.\n");
    process.exit(1);
  }
  const { main } = await import(built.href);
  process.exit(await main(args));
}

/** Starts the binary that is one command under a name of its own. */
export async function launchCommand(name) {
  const args = process.argv.slice(2);
  const asksVersion = args.length === 1 && (args[0] === "--version" || args[0] === "-V");
  await launch(asksVersion ? args : [name, ...args]);
}
