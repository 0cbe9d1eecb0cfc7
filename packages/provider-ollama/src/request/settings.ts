import { OllamaError } from "../ollama-error.js";
import { isRecord, type UnknownRecord } from "../record.js";

/** What this provider reads of a connection's settings. Nothing is sent for a key that is not set. */
export interface OllamaSettings {
  /** Context window in tokens: `contextWindow`, else `options.num_ctx`. */
  readonly contextWindow: number | undefined;
  /** Ollama's own `options`, the common keys already among them, without `num_ctx`. */
  readonly options: UnknownRecord;
  /** Seconds, or a duration such as `5m`; -1 for ever, 0 to unload at once. */
  readonly keepAlive: number | string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Keys that every wire knows, in Ollama's words. */
const COMMON_OPTIONS: Readonly<Record<string, string>> = {
  maxTokens: "num_predict",
  temperature: "temperature",
  topP: "top_p",
  seed: "seed",
};
const GO_DURATION = /^-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/;

/** Decodes the settings. Throws kind `malformed` that names the key. */
export function requestSettings(settings: UnknownRecord): OllamaSettings {
  const { num_ctx, ...options } = recordAt(settings.options, "options");
  return {
    contextWindow: tokens(settings.contextWindow, "contextWindow") ?? tokens(num_ctx, "options.num_ctx"),
    options: { ...commonOptions(settings), ...options },
    keepAlive: keepAlive(settings.keepAlive ?? settings.keep_alive),
    headers: headers(settings.headers),
  };
}

function commonOptions(settings: UnknownRecord): UnknownRecord {
  const options: Record<string, unknown> = {};
  for (const [key, name] of Object.entries(COMMON_OPTIONS)) {
    const value = settings[key];
    if (value === undefined) continue;
    if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(key, "a number", value);
    options[name] = value;
  }
  const { stop } = settings;
  if (stop === undefined) return options;
  const words = typeof stop === "string" ? [stop] : stop;
  if (!Array.isArray(words) || !words.every((word) => typeof word === "string")) {
    throw wrong("stop", "a text or a list of texts", stop);
  }
  return { ...options, stop: words };
}

function tokens(value: unknown, key: string): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value) && value > 0) return value;
  throw wrong(key, "a whole number of tokens, such as 32768", value);
}

function keepAlive(value: unknown): number | string | undefined {
  if (value === undefined || (typeof value === "number" && Number.isFinite(value))) return value;
  if (typeof value === "string") {
    const text = value.trim();
    // The server reads a text without a unit as no duration at all.
    if (/^-?\d+$/.test(text)) return Number(text);
    if (GO_DURATION.test(text)) return text;
  }
  throw wrong("keepAlive", 'a number of seconds or a duration such as "5m"', value);
}

function headers(value: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(recordAt(value, "headers")).map(([name, text]) => {
      if (typeof text !== "string") throw wrong(`headers.${name}`, "a text", text);
      return [name.toLowerCase(), text];
    }),
  );
}

function recordAt(value: unknown, key: string): UnknownRecord {
  if (value === undefined) return {};
  if (!isRecord(value)) throw wrong(key, "an object", value);
  return value;
}

function wrong(key: string, wanted: string, value: unknown): OllamaError<"malformed"> {
  const at = `settings.${key}`;
  // A header may hold a secret, so only the kind of the value is shown there.
  const found = key.startsWith("headers")
    ? typeof value
    : (JSON.stringify(value)?.slice(0, 80) ?? typeof value);
  return new OllamaError("malformed", `${at}: wanted ${wanted}, found ${found}`, { at });
}
