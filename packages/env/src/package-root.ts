import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The absolute path of a file in this package's root, from `src` as from `dist`; undefined when it was bundled away. */
export function packageFile(name: string): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  const manifest: unknown = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const ours =
    typeof manifest === "object" &&
    manifest !== null &&
    "name" in manifest &&
    manifest.name === "@ashlar/env";
  return ours ? join(folder, name) : undefined;
}
