import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Files that are loaded with this entry, before anything is called. */
async function loadedWith(entry: string): Promise<Set<string>> {
  const { metafile } = await build({
    entryPoints: [`${root}${entry}`],
    bundle: true,
    write: false,
    metafile: true,
    outdir: "unused",
    splitting: true,
    format: "esm",
    platform: "node",
    tsconfig: `${root}tsconfig.json`,
    logLevel: "silent",
    absWorkingDir: root,
  });
  const loaded = new Set<string>();
  const visit = (file: string): void => {
    if (loaded.has(file)) return;
    loaded.add(file);
    for (const { path, kind } of metafile.inputs[file]?.imports ?? []) {
      if (kind === "import-statement") visit(path);
    }
  };
  visit(entry);
  return loaded;
}

it("loads nothing heavy before it is needed", async () => {
  const loaded = [...(await loadedWith("packages/agent/src/index.ts"))];
  expect(loaded.length).toBeGreaterThan(30);
  expect(
    loaded.filter((file) => /node_modules\/(?:undici|ajv|zod)\/|packages\/sandbox\//.test(file)),
  ).toEqual([]);
});

it("keeps the loop free of Node and of the layers below the agent", async () => {
  const loaded = [...(await loadedWith("packages/agent/src/loop/index.ts"))];
  expect(loaded.filter((file) => /^node:|packages\/(?:env|io)\//.test(file))).toEqual([]);
});
