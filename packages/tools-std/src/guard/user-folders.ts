import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Files } from "@ashlar/context/tool";
import type { CredentialPlaces } from "./credential-guard.js";

/** Where credentials lie for a project. `project` is its real path. */
export async function credentialPlaces(files: Files, project: string): Promise<CredentialPlaces> {
  return { project, userFolders: await userSettingsFolders(files, process.env) };
}

/** Real paths of the folders where a user's own credentials lie, those that exist. */
async function userSettingsFolders(
  files: Files,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const real = await Promise.all(
    // A folder that does not exist holds no credentials.
    settingsFolders(environment).map((folder) => files.realpath(folder).catch(() => undefined)),
  );
  return real.filter((folder) => folder !== undefined);
}

function settingsFolders(environment: Readonly<Record<string, string | undefined>>): readonly string[] {
  const absolute = (name: string): string | undefined => {
    const value = environment[name];
    return value !== undefined && isAbsolute(value) ? value : undefined;
  };
  const home = absolute("ASHLAR_HOME");
  if (home !== undefined) return [join(home, "config")];
  return [join(absolute("XDG_CONFIG_HOME") ?? join(absolute("HOME") ?? homedir(), ".config"), "ashlar")];
}
