#!/usr/bin/env node
// Checks layers and cycles over all sources, and proves first that a planted forbidden import is caught.
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./steps.mjs";

const cruise = (folder) =>
  run("depcruise", ["--config", ".dependency-cruiser.cjs", "--output-type", "err", folder]);

/** Context importing env is the plainest offence there is. */
async function plantedImportIsCaught() {
  const folder = "packages/context/src/planted-offence";
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(
    join(root, folder, "offence.ts"),
    'import type { Env } from "@ashlar/env";\nexport type Offence = Env;\n',
  );
  try {
    const { code, output } = await cruise(folder);
    return code !== 0 && output.includes("layer-context");
  } finally {
    rmSync(join(root, folder), { recursive: true });
  }
}

if (!(await plantedImportIsCaught())) {
  console.error(
    "The layer check is blind: an import of @ashlar/env planted in @ashlar/context was not refused.",
  );
  process.exitCode = 1;
} else {
  const { code, output } = await cruise("packages");
  console.log(output.trim());
  process.exitCode = code;
}
