#!/usr/bin/env node
// `npm run release -- --dry-run` lists what would be published: version, files, what changed. Without it, changesets publishes.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setup } from "./setup.mjs";
import { main, root, run, StepFailure } from "./steps.mjs";

const known = new Set(["--dry-run"]);
const unknown = process.argv.slice(2).filter((argument) => !known.has(argument));

/** The pending bumps, as changesets computes them. */
async function plannedReleases(scratch) {
  const file = join(scratch, "status.json");
  const { code, output } = await run("changeset", ["status", "--output", file]);
  if (!existsSync(file)) {
    // Changesets compares with the base branch, which a shallow or fresh clone may not have.
    if (readdirSync(join(root, ".changeset")).every((name) => !name.endsWith(".md") || name === "README.md"))
      return [];
    throw new StepFailure(`changeset status failed (exit ${code}):\n${output}`);
  }
  return JSON.parse(readFileSync(file, "utf8")).releases;
}

/** The newest section of a changelog, without its heading. */
function newestChanges(folder) {
  const file = join(folder, "CHANGELOG.md");
  if (!existsSync(file)) return "";
  const [, section = ""] = readFileSync(file, "utf8").split(/^## .*$/m);
  return section.trim();
}

async function packedFiles(folder, scratch) {
  const { code, output } = await run("pnpm", ["pack", "--json", "--pack-destination", scratch], {
    cwd: folder,
  });
  if (code !== 0) throw new StepFailure(`pnpm pack failed in ${folder}:\n${output}`);
  return JSON.parse(output.slice(output.indexOf("{"))).files.map(({ path }) => path);
}

async function describe(name, releases, scratch) {
  const folder = join(root, "packages", name);
  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const release = releases.find((candidate) => candidate.name === manifest.name);
  const files = await packedFiles(folder, scratch);
  const changes = release?.changesets.length
    ? `changesets ${release.changesets.join(", ")}`
    : newestChanges(folder);
  console.log(
    `\n${manifest.name} ${release ? `${manifest.version} → ${release.newVersion}` : manifest.version} (${files.length} files)`,
  );
  for (const file of files) console.log(`    ${file}`);
  console.log(changes.replaceAll(/^/gm, "  "));
}

await main(async () => {
  if (unknown.length > 0) throw new StepFailure(`unknown argument ${unknown.join(" ")}; known: --dry-run`);
  await setup();
  if (!process.argv.includes("--dry-run")) {
    const { code } = await run("changeset", ["publish"], { show: true });
    process.exitCode = code;
    return;
  }
  const scratch = mkdtempSync(join(tmpdir(), "ashlar-release-"));
  try {
    const releases = await plannedReleases(scratch);
    for (const name of readdirSync(join(root, "packages")).sort()) await describe(name, releases, scratch);
    console.log("\nNothing was published.");
  } finally {
    rmSync(scratch, { recursive: true });
  }
});
