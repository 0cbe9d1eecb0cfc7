import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { temporaryFolder } from "./fixture.js";

const home = fileURLToPath(new URL("../..", import.meta.url));

export interface Programs {
  readonly path: (name: string) => string;
  readonly dispose: () => void;
}

/** The programs of `soak/`, made from the sources, so that real processes run them without a build. */
export async function buildPrograms(): Promise<Programs> {
  const outdir = temporaryFolder();
  await build({
    entryPoints: ["kills", "writer", "contender", "steps"].map((name) => join(home, "soak", `${name}.mjs`)),
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // It looks for its .wasm beside itself.
    alias: {
      "@ashlar/context": join(home, "../context/src/index.ts"),
      "@ashlar/session-sqlite": join(home, "src/index.ts"),
      "node-sqlite3-wasm": join(home, "node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.js"),
    },
    external: [join(home, "node_modules/node-sqlite3-wasm/dist/node-sqlite3-wasm.js")],
  });
  return {
    path: (name) => join(outdir, `${name}.mjs`),
    dispose: () => rmSync(outdir, { recursive: true, force: true }),
  };
}
