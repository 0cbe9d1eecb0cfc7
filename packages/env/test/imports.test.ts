import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

const entry = (name: string): string => fileURLToPath(new URL(`../src/${name}`, import.meta.url));

/** Packages that are loaded when the entry is imported; `import()` at first use does not count. */
async function importedBy(file: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [entry(file)],
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    packages: "external",
    outdir: "out",
    write: false,
    metafile: true,
  });
  const loaded = new Set<string>();
  const visit = (output: string): void => {
    for (const { path, kind, external } of metafile.outputs[output]?.imports ?? []) {
      if (kind !== "import-statement" || loaded.has(path)) continue;
      loaded.add(path);
      if (external !== true) visit(path);
    }
  };
  const main = Object.keys(metafile.outputs).find(
    (output) => metafile.outputs[output]?.entryPoint !== undefined,
  );
  if (main !== undefined) visit(main);
  return [...loaded].filter((path) => !path.startsWith("node:") && !path.startsWith("out/")).sort();
}

it("loads no heavy package when it is imported", async () => {
  // @ashlar/context counts as sources here; it has no dependency.
  expect(await importedBy("index.ts")).toEqual(["parse-duration"]);
});

it("loads no package at all for the transport alone, until a request", async () => {
  expect(await importedBy("transport/index.ts")).toEqual([]);
});
