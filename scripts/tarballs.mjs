// Packs every package once and installs chosen ones from their tarballs into an empty folder, as a user would.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
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
  await npmInstall(folder);
  return folder;
}

/** `npm install` in a folder, of what its package.json lists or of the named packages. */
export async function npmInstall(folder, names = []) {
  const { code, output } = await run(
    "npm",
    ["install", "--no-audit", "--no-fund", "--prefer-offline", "--ignore-scripts", ...names],
    { cwd: folder },
  );
  if (code !== 0) throw new StepFailure(`npm install in ${folder} failed:\n${output}`);
}

/**
 * A copy of `examples/<name>` outside the workspace with its dependencies installed from tarballs. What those need of
 * ours is listed as a development dependency, because the registry does not have it.
 */
export async function copyExample(name, { tarballs, scratch }) {
  const folder = mkdtempSync(join(scratch, `${name}-`));
  const source = join(root, "examples", name);
  cpSync(source, folder, { recursive: true, filter: (path) => !path.includes("node_modules") });
  const manifest = JSON.parse(readFileSync(join(source, "package.json"), "utf8"));
  const local = (dependencies = {}) =>
    Object.fromEntries(
      Object.entries(dependencies).map(([key, range]) => [
        key,
        key.startsWith("@ashlar/") ? `file:${tarballs.get(key.slice("@ashlar/".length))}` : range,
      ]),
    );
  const listed = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  const ours = listed.flatMap((key) => (key.startsWith("@ashlar/") ? [key.slice("@ashlar/".length)] : []));
  const needed = closure(ours).filter((key) => !ours.includes(key));
  manifest.dependencies = local(manifest.dependencies);
  manifest.devDependencies = {
    ...local(manifest.devDependencies),
    ...local(Object.fromEntries(needed.map((key) => [`@ashlar/${key}`, ""]))),
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2));
  await npmInstall(folder);
  return folder;
}

/** The tarball that `npm pack` makes of a folder. */
export async function pack(folder) {
  const { code, output } = await run("npm", ["pack", "--json", "--ignore-scripts"], { cwd: folder });
  if (code !== 0) throw new StepFailure(`npm pack in ${folder} failed:\n${output}`);
  const [{ filename }] = JSON.parse(output.slice(output.indexOf("[")));
  return join(folder, filename);
}

/** Short names of the packages of ours that a folder has installed. */
export function installedOfOurs(folder) {
  const scope = join(folder, "node_modules/@ashlar");
  return existsSync(scope) ? readdirSync(scope).sort() : [];
}

export const scratchFolder = () => mkdtempSync(join(tmpdir(), "ashlar packed "));
