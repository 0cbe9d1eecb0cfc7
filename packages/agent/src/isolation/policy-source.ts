import { readdir, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import type { Env } from "@ashlar/env";
import { AgentError } from "../agent-error.js";
import { isInside } from "../children/work-folder.js";
import { type IsolationPolicy, isolationPolicy } from "./isolation-policy.js";
import { type SandboxSettings, sandboxSettings } from "./sandbox-settings.js";
import { steeringPlaces } from "./steering-places.js";

export interface PolicySource {
  /** The policy of a call that starts now; `writes` are the paths that it says it will write, as its arguments name them. */
  readonly policy: (write: boolean, writes?: readonly string[]) => Promise<IsolationPolicy>;
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
    policy: async (write, writes = []) => {
      const secrets = await secretPlaces(env);
      await checkFolder(folder, folder === env.cwd ? [] : secrets);
      return isolationPolicy({
        folder,
        write,
        privateFolders: privateFolders(env),
        credentialFiles: await credentialFiles([env.cwd, folder]),
        secretPlaces: secrets,
        environment: env.childEnvironment,
        environmentChosen: Array.isArray(env.settings["env-allow"]),
        settings: settings(),
        steering: write ? await steeringPlaces(folder) : [],
        writes: writes.map((path) => resolve(folder, path)),
      });
    },
  };
}

/** Whoever works in the project may have put a link in the place of a folder that an agent was narrowed to. */
async function checkFolder(folder: string, secrets: readonly string[]): Promise<void> {
  // A folder that cannot be looked at is as good as gone.
  const real = await realpath(folder).catch(() => undefined);
  if (real !== folder) throw refused(`the agent's folder ${folder} is gone, or a link stands in its place`);
  if (secrets.some((place) => isInside(folder, place)))
    throw refused(`the agent's folder ${folder} is where other programs keep secrets`);
}

function refused(reason: string): AgentError<"refused"> {
  return new AgentError("refused", reason, { reason });
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
