import type { ToolSettings } from "@ashlar/context/tool";

/** UTF-16 units of output that a result keeps. */
export interface BashLimits {
  readonly stdoutCharacters: number;
  readonly stderrCharacters: number;
}

const DEFAULTS: BashLimits = { stdoutCharacters: 40_000, stderrCharacters: 10_000 };

/** The limits of the settings key `bash`; what is no positive integer falls back to the default. */
export function bashLimits(settings: Readonly<Record<string, unknown>>): BashLimits {
  const given = settings.bash;
  const value = (key: keyof BashLimits): number => {
    const wanted: unknown = typeof given === "object" && given !== null ? Reflect.get(given, key) : undefined;
    return typeof wanted === "number" && Number.isSafeInteger(wanted) && wanted > 0 ? wanted : DEFAULTS[key];
  };
  return { stdoutCharacters: value("stdoutCharacters"), stderrCharacters: value("stderrCharacters") };
}

export function bashSettings(): ToolSettings {
  return {
    bash: {
      default: DEFAULTS,
      description:
        "Limits of the bash tool. stdoutCharacters, stderrCharacters: characters of each stream that a result keeps, half from the start, half from the end.",
    },
  };
}
