// Programs that some tests drive for real. Installs one where that is allowed (root and apt); elsewhere says what is
// missing, and those tests say that they did not run.
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import { run, step } from "./steps.mjs";

function onPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // Not in this folder; another may have it.
      return false;
    }
  });
}

async function install({ packageName, tests }) {
  const update = await run("apt-get", ["update"]);
  if (update.code !== 0)
    return { ...update, code: 0, note: "apt-get update failed, so it was not installed" };
  const result = await run("apt-get", ["install", "-y", "--no-install-recommends", packageName]);
  return result.code === 0
    ? result
    : { ...result, code: 0, note: `it could not be installed; ${tests} will say so` };
}

/** `tests` names those that need it. */
export async function ensureProgram({ program, packageName, tests }) {
  if (process.platform !== "linux" || onPath(program)) return;
  if (process.getuid?.() === 0 && onPath("apt-get"))
    await step(`install ${packageName}`, () => install({ packageName, tests }));
  else
    process.stdout.write(
      `! ${packageName} is not installed: ${tests} will not run (apt-get install ${packageName})\n`,
    );
}
