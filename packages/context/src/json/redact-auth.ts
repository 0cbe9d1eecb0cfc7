import { isObject, JSON_MAX_DEPTH } from "../json.js";
import { setOwn } from "./set-own.js";

const SECRET_KEYS = new Set(["auth", "token", "authorization"]);
/** Secrets of a credential record; ordinary words anywhere else. */
const RECORD_KEYS = new Set(["access", "refresh"]);

/** A copy without any `auth`, `token` or `authorization` key, however deep; an object with a token loses `access` and `refresh` too. */
export function redactAuth(value: unknown): unknown {
  return redact(value, 0);
}

function redact(value: unknown, depth: number): unknown {
  if (depth > JSON_MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((member) => redact(member, depth + 1));
  if (!isObject(value)) return value;
  const isCredential = Object.hasOwn(value, "token");
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const name = key.toLowerCase();
    if (SECRET_KEYS.has(name) || (isCredential && RECORD_KEYS.has(name))) continue;
    setOwn(copy, key, redact(member, depth + 1));
  }
  return copy;
}
