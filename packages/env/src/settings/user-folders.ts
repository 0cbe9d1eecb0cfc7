import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** Where one user's files lie. Absolute paths; nothing is created until it is written to. */
export interface UserFolders {
  /** `settings.json` and credentials. */
  readonly config: string;
  /** Sessions and installed packages. */
  readonly data: string;
  /** Logs, locks, what was used last. */
  readonly state: string;
  readonly cache: string;
}

/** XDG folders; `ASHLAR_HOME` moves all of them below one folder. Relative values are ignored. */
export function userFolders(environment: Readonly<Record<string, string | undefined>>): UserFolders {
  const absolute = (name: string): string | undefined => {
    const value = environment[name];
    return value !== undefined && isAbsolute(value) ? value : undefined;
  };
  const home = absolute("ASHLAR_HOME");
  if (home !== undefined) {
    return {
      config: join(home, "config"),
      data: join(home, "data"),
      state: join(home, "state"),
      cache: join(home, "cache"),
    };
  }
  const user = userHome(environment);
  return {
    config: join(absolute("XDG_CONFIG_HOME") ?? join(user, ".config"), "ashlar"),
    data: join(absolute("XDG_DATA_HOME") ?? join(user, ".local", "share"), "ashlar"),
    state: join(absolute("XDG_STATE_HOME") ?? join(user, ".local", "state"), "ashlar"),
    cache: join(absolute("XDG_CACHE_HOME") ?? join(user, ".cache"), "ashlar"),
  };
}

/** `$HOME` where it is absolute, else what the system says. */
export function userHome({ HOME }: Readonly<Record<string, string | undefined>>): string {
  return HOME !== undefined && isAbsolute(HOME) ? HOME : homedir();
}
