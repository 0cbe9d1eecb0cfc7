import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

/** Folders that nobody needs: an agent folder with its files, a home, and something beside both. */
export interface Playground {
  /** Holds the others; real. */
  readonly root: string;
  readonly agentFolder: string;
  readonly home: string;
  /** What differs from the beginning, relative to `root`, sorted. */
  readonly changed: () => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
}

export async function makePlayground(files: Readonly<Record<string, string>>): Promise<Playground> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "ashlar-tool-pack-")));
  const agentFolder = join(root, "agent");
  const home = join(root, "home");
  for (const folder of [agentFolder, home]) await mkdir(folder);
  await writeFile(join(root, "neighbour.txt"), "Not the agent's.\n");
  for (const [name, text] of Object.entries(files)) {
    const file = join(agentFolder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
  const before = await pictureOf(root);
  return {
    root,
    agentFolder,
    home,
    changed: async () => differences(before, await pictureOf(root)),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

/** Mode and content of everything below a folder, by relative path. */
async function pictureOf(root: string): Promise<ReadonlyMap<string, string>> {
  const picture = new Map<string, string>();
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const kind = entry.isFile() ? "file" : entry.isDirectory() ? "folder" : "other";
    const mode = entry.isSymbolicLink() ? 0 : (await stat(path)).mode;
    const content = entry.isFile()
      ? createHash("sha256")
          .update(await readFile(path))
          .digest("hex")
      : entry.isSymbolicLink()
        ? await readlink(path)
        : "";
    picture.set(relative(root, path), `${kind} ${mode} ${content}`);
  }
  return picture;
}

function differences(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const paths = new Set([...before.keys(), ...after.keys()]);
  return [...paths].filter((path) => before.get(path) !== after.get(path)).sort();
}
