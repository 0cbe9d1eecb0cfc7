import { lstat, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../children/work-folder.js";

/** What later agents read as their instructions. A person is asked before tools change it. */
const STEERING_PLACES = ["AGENTS.md", "ai-skills", "ai-prompts", ".agents/skills"] as const;

/**
 * Those of a folder that exist, as absolute paths. Of one that is a link, or lies behind one, the place it leads to, if
 * that lies in the folder, too. `folder` is real.
 */
export async function steeringPlaces(folder: string): Promise<readonly string[]> {
  const places = await Promise.all(STEERING_PLACES.map((name) => placeOf(folder, name)));
  return [...new Set(places.filter((place) => place !== undefined))];
}

async function placeOf(folder: string, name: string): Promise<string | undefined> {
  try {
    const real = await realpath(join(folder, name));
    const stat = await lstat(real);
    const fits = stat.isFile() || stat.isDirectory();
    return fits && real !== folder && isInside(real, folder) ? real : undefined;
  } catch {
    // What cannot be looked at steers nobody.
    return undefined;
  }
}
