import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { StoreFixture } from "@ashlar/context/testing";
import { createJsonlRepository } from "@ashlar/session-jsonl";

export function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "ashlar-sessions-"));
}

/** The pid of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ["-e", ""]).pid;
}

/** The folder as a kill at this moment leaves it, in another place: files as they are, locks of a process that is gone. */
export function crashedCopy(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  const pid = deadPid();
  for (const name of readdirSync(copy).filter((file) => file.endsWith(".lock"))) {
    const owner: unknown = JSON.parse(readFileSync(join(copy, name), "utf8"));
    writeFileSync(join(copy, name), JSON.stringify({ ...Object(owner), pid, start: "1" }));
  }
  return copy;
}

/** Garbles the line of an entry and keeps its length. */
export function garble(file: string, seq: number): void {
  const lines = readFileSync(file, "utf8").split("\n");
  const changed = lines.map((line) =>
    line.includes(`"seq":${seq},"parent"`) ? line.replace(/"kind":"[a-z]+"/, "\u0000\u0000{{{{") : line,
  );
  writeFileSync(file, changed.join("\n"));
}

export async function createFixture(): Promise<StoreFixture> {
  const folders = [temporaryFolder()];
  const [folder = ""] = folders;
  return {
    repository: createJsonlRepository({ folder }),
    openSecond: async () => createJsonlRepository({ folder }),
    crash: async () => {
      const copy = crashedCopy(folder);
      folders.push(copy);
      return createJsonlRepository({ folder: copy });
    },
    damage: async (session, seq) => garble(join(folder, `${session}.jsonl`), seq),
    dispose: async () => {
      for (const each of folders) rmSync(each, { recursive: true, force: true });
    },
  };
}
