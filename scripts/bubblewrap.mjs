// The tests of the sandbox are real, so they need bubblewrap. Installs it where that is allowed (root and apt); elsewhere
// says what is missing, and those tests say "not run".
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

async function install() {
  const update = await run("apt-get", ["update"]);
  if (update.code !== 0)
    return { ...update, code: 0, note: "apt-get update failed, so it was not installed" };
  const result = await run("apt-get", ["install", "-y", "--no-install-recommends", "bubblewrap"]);
  return result.code === 0
    ? result
    : { ...result, code: 0, note: "it could not be installed; the sandbox tests will say so" };
}

export async function ensureBubblewrap() {
  if (process.platform !== "linux" || onPath("bwrap")) return;
  if (process.getuid?.() === 0 && onPath("apt-get")) await step("install bubblewrap", install);
  else
    process.stdout.write(
      "! bubblewrap is not installed: the tests that need a sandbox will not run (apt-get install bubblewrap)\n",
    );
}
