import { basename, dirname, join } from "node:path";
import type { FileStat, Files } from "@ashlar/context/tool";
import { ToolError } from "../tool-error.js";
import { shownName } from "./shown-name.js";

const PROJECT_FILE = /^ai-auth-/i;
const USER_FILE = /^auth-/i;

export interface CredentialPlaces {
  /** Real path of the project, which holds the `ai-auth-*` files. */
  readonly project: string;
  /** Real paths of the user's own settings folders, which hold the `auth-*` files. */
  readonly userFolders: readonly string[];
}

/** Is this the name of a file with credentials? `real` is absolute, links resolved. */
export function isCredentialPath(real: string, { userFolders }: CredentialPlaces): boolean {
  const name = basename(real);
  return PROJECT_FILE.test(name) || (USER_FILE.test(name) && userFolders.includes(dirname(real)));
}

export interface CredentialQuestion {
  readonly real: string;
  readonly stat: FileStat;
  readonly places: CredentialPlaces;
}

/** True also for a hard link to a credential file under another name. */
export async function holdsCredentials(
  files: Files,
  { real, stat, places }: CredentialQuestion,
): Promise<boolean> {
  if (isCredentialPath(real, places)) return true;
  if (stat.links < 2) return false;
  for (const folder of new Set([places.project, ...places.userFolders])) {
    for (const file of await credentialFiles(files, folder, places)) {
      const other = await files.lstat(file).catch(() => undefined);
      if (other?.identity === stat.identity) return true;
    }
  }
  return false;
}

async function credentialFiles(
  files: Files,
  folder: string,
  places: CredentialPlaces,
): Promise<readonly string[]> {
  // A folder that cannot be listed holds nothing that could be named here.
  const entries = await files.list(folder).catch(() => []);
  return entries.map(({ name }) => join(folder, name)).filter((file) => isCredentialPath(file, places));
}

export function credentialRefusal(shown: string): ToolError<"refused"> {
  return new ToolError("refused", `${shownName(shown)} holds credentials and is never read by tools.`, {
    path: shown,
    reason: "credentials",
  });
}
