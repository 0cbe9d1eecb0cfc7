/** What programs need to find their way; nothing here is ever a secret. */
const NAMES: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "LANG",
  "LANGUAGE",
  "TZ",
  "ASHLAR_HOME",
  "XDG_CONFIG_HOME",
  "XDG_DATA_HOME",
  "XDG_STATE_HOME",
]);

/** Private to each call, so that programs which keep something find a place for it. */
const PLACES = { TMPDIR: "/tmp", XDG_CACHE_HOME: "/tmp/.cache" } as const;

/** The environment of a sandbox: built from a few names, unless the user chose the names (`env-allow`). */
export function builtEnvironment(
  environment: Readonly<Record<string, string>>,
  chosen: boolean,
): Readonly<Record<string, string>> {
  const kept = Object.entries(environment).filter(
    ([name]) => chosen || NAMES.has(name) || name.startsWith("LC_"),
  );
  return { ...Object.fromEntries(kept), ...PLACES, ASHLAR_TOOL_WORKER: "1" };
}
