import type { ToolSettings } from "@ashlar/context/tool";

/** What one call of `read` may use. All positive integers. */
export interface ReadBudget {
  readonly scanBytes: number;
  readonly files: number;
  readonly entries: number;
  readonly fileBytes: number;
  readonly grepFileSizeLimit: number;
  readonly outputBytes: number;
  readonly artifactBytes: number;
  readonly regexMs: number;
  readonly timeoutMs: number;
}

interface Limit {
  readonly value: number;
  readonly meaning: string;
}

const LIMITS: Readonly<Record<keyof ReadBudget, Limit>> = {
  scanBytes: { value: 67_108_864, meaning: "bytes read by one call" },
  files: { value: 10_000, meaning: "files searched by one call" },
  entries: { value: 20_000, meaning: "folder entries visited by one call" },
  fileBytes: { value: 16_777_216, meaning: "size up to which all lines of a file are counted" },
  grepFileSizeLimit: { value: 5_242_880, meaning: "size up to which files of a folder are searched" },
  outputBytes: { value: 65_536, meaning: "bytes of text in one result" },
  artifactBytes: { value: 16_777_216, meaning: "size up to which images and binary files are attached" },
  regexMs: { value: 1000, meaning: "milliseconds spent on matching patterns by one call" },
  timeoutMs: { value: 30_000, meaning: "milliseconds one call takes before it answers with what it has" },
};

// The keys are those of LIMITS, which the compiler holds to those of ReadBudget.
const KEYS = Object.keys(LIMITS) as readonly (keyof ReadBudget)[];

/** The budget of the settings key `read`; what is no positive integer falls back to the default. */
export function readBudget(settings: Readonly<Record<string, unknown>>): ReadBudget {
  const given = settings.read;
  const value = (key: keyof ReadBudget): number => {
    const wanted: unknown = typeof given === "object" && given !== null ? Reflect.get(given, key) : undefined;
    return typeof wanted === "number" && Number.isSafeInteger(wanted) && wanted > 0
      ? wanted
      : LIMITS[key].value;
  };
  return {
    scanBytes: value("scanBytes"),
    files: value("files"),
    entries: value("entries"),
    fileBytes: value("fileBytes"),
    grepFileSizeLimit: value("grepFileSizeLimit"),
    outputBytes: value("outputBytes"),
    artifactBytes: value("artifactBytes"),
    regexMs: value("regexMs"),
    timeoutMs: value("timeoutMs"),
  };
}

export function readSettings(): ToolSettings {
  const defaults = Object.fromEntries(KEYS.map((key) => [key, LIMITS[key].value]));
  const meanings = KEYS.map((key) => `${key}: ${LIMITS[key].meaning}`).join("; ");
  return { read: { default: defaults, description: `Limits of the read tool. ${meanings}.` } };
}
