import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { temporaryFolder } from "./fixture.js";

const here = fileURLToPath(new URL("../..", import.meta.url));

/** The programs of `soak/`, bundled from the sources, so that real processes run them without a build. */
export async function bundlePrograms(): Promise<{
  readonly path: (name: string) => string;
  readonly dispose: () => void;
}> {
  const outdir = temporaryFolder();
  await build({
    entryPoints: ["kills", "writer", "contender"].map((name) => join(here, "soak", `${name}.mjs`)),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    alias: {
      "@ashlar/context": join(here, "../context/src/index.ts"),
      "@ashlar/session-jsonl": join(here, "src/index.ts"),
    },
  });
  return {
    path: (name) => join(outdir, `${name}.mjs`),
    dispose: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
