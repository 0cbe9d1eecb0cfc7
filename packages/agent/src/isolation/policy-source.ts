import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Env } from "@ashlar/env";
import { type IsolationPolicy, isolationPolicy } from "./isolation-policy.js";
import { type SandboxSettings, sandboxSettings } from "./sandbox-settings.js";

export interface PolicySource {
  /** The policy of a call that starts now. */
  readonly policy: (write: boolean) => Promise<IsolationPolicy>;
}

export interface PolicySourceOptions {
  readonly env: Env;
  /** The agent's folder. */
  readonly folder: string;
  /** Told once which settings of the project do not count. */
  readonly notice: (message: string) => void;
}

/** Looks at the settings and the project's files anew for each call, because both may change. */
export function createPolicySource(options: PolicySourceOptions): PolicySource {
  const { env, folder } = options;
  let ignoredBefore = "";
  const settings = (): SandboxSettings => {
    const { settings: found, ignored } = sandboxSettings(env.settingLayers("sandbox"));
    const text = ignored.join(" and ");
    if (text !== "" && text !== ignoredBefore)
      options.notice(
        `${text} of the project's settings is ignored: a project may only say "network": "none".`,
      );
    ignoredBefore = text;
    return found;
  };
  return {
    policy: async (write) =>
      isolationPolicy({
        folder,
        write,
        privateFolders: privateFolders(env),
        credentialFiles: await credentialFiles([env.cwd, folder]),
        secretPlaces: await secretPlaces(env),
        environment: env.childEnvironment,
        environmentChosen: Array.isArray(env.settings["env-allow"]),
        settings: settings(),
      }),
  };
}

/** Packages lie in the data folder, and their tools have to be found there. */
function privateFolders({ folders }: Env): readonly string[] {
  return [folders.config, folders.state, join(folders.data, "sessions")];
}

async function credentialFiles(folders: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    [...new Set(folders)].map(async (folder) => {
      const names = await readdir(folder);
      return names.filter((name) => /^ai-auth-/iu.test(name)).map((name) => join(folder, name));
    }),
  );
  return found.flat();
}

/** Of the home that programs are told of, and of the one the system knows. */
async function secretPlaces(env: Env): Promise<readonly string[]> {
  const { credentialPaths } = await import("@ashlar/sandbox");
  const { HOME } = env.childEnvironment;
  const homes = new Set([homedir(), ...(HOME !== undefined && isAbsolute(HOME) ? [HOME] : [])]);
  return [...homes].flatMap((home) => credentialPaths(home));
}
