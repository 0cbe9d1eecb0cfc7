import { isObject } from "@ashlar/context";

/** What an error body says, in at most `MAX_MESSAGE_CHARACTERS`. */
export interface ErrorBody {
  readonly message: string | undefined;
  /** The server's own code or type of the error. */
  readonly code: string | undefined;
  /** The decoded body: a JSON value, or its text. */
  readonly body: unknown;
}

const MAX_MESSAGE_CHARACTERS = 600;
const HTML = /^\s*(?:<!doctype html|<html|<head|<body|<\?xml)/i;
const TITLE = /<title[^>]*>([\s\S]*?)<\/title>/i;

/** Reads the forms in which servers say what went wrong: JSON in several shapes, plain text, an HTML page (its title only). */
export function readErrorBody(text: string): ErrorBody {
  if (text.trim() === "") return { message: undefined, code: undefined, body: undefined };
  if (HTML.test(text)) {
    const title = TITLE.exec(text)?.[1];
    const message = title === undefined ? "an HTML page" : `an HTML page titled "${shorten(title)}"`;
    return { message, code: undefined, body: message };
  }
  const body = parseJson(text);
  if (body === undefined) return { message: shorten(text), code: undefined, body: text };
  return { message: messageOf(body) ?? shorten(text), code: codeOf(body), body };
}

/** The message inside a decoded error: `{ error: { message } }`, `{ error }`, `{ message }`, `{ detail }`, or a list of one. */
export function messageOf(value: unknown): string | undefined {
  if (typeof value === "string") return value.trim() === "" ? undefined : shorten(value);
  if (Array.isArray(value)) return value.length === 0 ? undefined : messageOf(value[0]);
  if (!isObject(value)) return undefined;
  for (const key of ["error", "message", "msg", "detail", "errors"]) {
    const found = messageOf(value[key]);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The code inside a decoded error: `code`, `type` or `status` of the error, as text. */
export function codeOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return codeOf(value[0]);
  if (!isObject(value)) return undefined;
  if (isObject(value.error) || Array.isArray(value.error)) return codeOf(value.error);
  for (const key of ["code", "type", "status"]) {
    const code = value[key];
    if (typeof code === "string" && code !== "" && code !== "error") return shorten(code);
    if (typeof code === "number") return String(code);
  }
  return undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON: the text itself is the message.
    return undefined;
  }
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS)}…` : line;
}
