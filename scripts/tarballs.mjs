// Packs every package once and installs chosen ones from their tarballs into an empty folder, as a user would.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root, run, StepFailure } from "./steps.mjs";

export const packageNames = readdirSync(join(root, "packages")).sort();
export const manifestOf = (name) =>
  JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));

/** Folder of all tarballs, and the tarball of each package by its short name. */
export async function packAll(scratch) {
  const folder = join(scratch, "tarballs");
  mkdirSync(folder, { recursive: true });
  const tarballs = new Map();
  for (const name of packageNames) {
    const { code, output } = await run("pnpm", ["pack", "--json", "--pack-destination", folder], {
      cwd: join(root, "packages", name),
    });
    if (code !== 0) throw new StepFailure(`pnpm pack of ${name} failed:\n${output}`);
    tarballs.set(name, JSON.parse(output.slice(output.indexOf("{"))).filename);
  }
  return tarballs;
}

/** Short names of a package and of everything of ours it depends on. */
export function closure(names) {
  const found = new Set();
  const visit = (name) => {
    if (found.has(name)) return;
    found.add(name);
    for (const dependency of Object.keys(manifestOf(name).dependencies ?? {})) {
      if (dependency.startsWith("@ashlar/")) visit(dependency.slice("@ashlar/".length));
    }
  };
  for (const name of names) visit(name);
  return [...found];
}

/** A new folder whose node_modules holds these packages (and what they need), from tarballs. */
export async function install(names, { tarballs, scratch, extra = {} }) {
  const folder = mkdtempSync(join(scratch, `${names[0]}-`));
  const local = Object.fromEntries(
    closure(names).map((name) => [`@ashlar/${name}`, `file:${tarballs.get(name)}`]),
  );
  writeFileSync(
    join(folder, "package.json"),
    JSON.stringify({ private: true, type: "module", dependencies: { ...local, ...extra } }, null, 2),
  );
  const { code, output } = await run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts"],
    { cwd: folder },
  );
  if (code !== 0) throw new StepFailure(`npm install of ${names.join(", ")} failed:\n${output}`);
  return folder;
}

export const scratchFolder = () => mkdtempSync(join(tmpdir(), "ashlar packed "));
