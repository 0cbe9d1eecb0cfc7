import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "tsup";

interface Manifest {
  exports?: Record<string, string | { default: string }>;
  ashlar?: { toolFolders?: string[] };
}

const manifest = JSON.parse(readFileSync(join(process.cwd(), "package.json"), "utf8")) as Manifest;

const fromExports = Object.values(manifest.exports ?? {})
  .map((target) => (typeof target === "string" ? target : target.default))
  .filter((file) => file.startsWith("./dist/") && file.endsWith(".js"))
  .map((file) => file.slice("./dist/".length, -".js".length));

// A tool folder is scanned at run time, so each of its files is an entry of its own.
const fromToolFolders = (manifest.ashlar?.toolFolders ?? []).flatMap((folder) =>
  readdirSync(join("src", folder))
    .filter((file) => file.endsWith(".ts"))
    .map((file) => `${folder}/${file.slice(0, -".ts".length)}`),
);

const names = [...new Set([...fromExports, ...fromToolFolders])];

export default defineConfig({
  entry: Object.fromEntries(names.map((name) => [name, `src/${name}.ts`])),
  format: "esm",
  target: "node20",
  platform: "neutral",
  splitting: true,
  clean: true,
  treeshake: true,
  dts:
    process.env.ASHLAR_FAST_BUILD === "1"
      ? false
      : { entry: Object.fromEntries(fromExports.map((name) => [name, `src/${name}.ts`])) },
  removeNodeProtocol: false,
  external: [/^node:/],
});
