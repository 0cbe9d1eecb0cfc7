import { isObject } from "@ashlar/context";
import { IOError } from "../io-error.js";

/** What the OpenAI wires read of a connection's settings. Nothing is sent for a key that is not set. */
export interface RequestSettings {
  /** Output tokens of one answer. */
  readonly maxTokens?: number;
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  readonly stop?: string | readonly string[];
  /** Members added to the request body; those that the wire sets itself win. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Headers added to the request; `authorization` comes from the credentials. */
  readonly headers: Readonly<Record<string, string>>;
}

const NUMBERS = ["maxTokens", "temperature", "topP", "seed"] as const;

/** Decodes the settings. Throws kind `malformed` that names the key. */
export function requestSettings(settings: Readonly<Record<string, unknown>>): RequestSettings {
  const numbers: Partial<Record<(typeof NUMBERS)[number], number>> = {};
  for (const key of NUMBERS) {
    const value = settings[key];
    if (value === undefined) continue;
    if (typeof value !== "number" || !Number.isFinite(value)) throw wrong(key, value, "a number");
    numbers[key] = value;
  }
  return {
    ...numbers,
    ...stopWords(settings.stop),
    body: record("body", settings.body),
    headers: headers(settings.headers),
  };
}

function stopWords(value: unknown): { stop?: string | readonly string[] } {
  if (value === undefined) return {};
  if (typeof value === "string") return { stop: value };
  if (Array.isArray(value) && value.every((word) => typeof word === "string")) return { stop: value };
  throw wrong("stop", value, "a text or a list of texts");
}

function record(key: string, value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined) return {};
  if (!isObject(value)) throw wrong(key, value, "an object");
  return value;
}

function headers(value: unknown): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const [name, text] of Object.entries(record("headers", value))) {
    if (typeof text !== "string") throw wrong(`headers.${name}`, text, "a text");
    texts[name.toLowerCase()] = text;
  }
  return texts;
}

export function wrong(key: string, value: unknown, wanted: string): IOError {
  const came = Array.isArray(value) ? "a list" : value === null ? "null" : `a value of type ${typeof value}`;
  return new IOError("malformed", `The setting "${key}" is ${came}; it must be ${wanted}`, {
    at: `settings.${key}`,
  });
}
