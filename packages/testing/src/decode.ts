import { BadRequest, refuse } from "./heard.js";

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Parses a request body as a strict server does: UTF-8, JSON, an object, well-formed text everywhere. */
export function decodeBody(bytes: Uint8Array): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    throw new BadRequest(
      `the body is not valid JSON in UTF-8: ${error instanceof Error ? error.message : error}`,
    );
  }
  refuseIllFormed(value, "body");
  return record(value, "body");
}

function refuseIllFormed(value: unknown, place: string): void {
  if (typeof value === "string") {
    if (LONE_SURROGATE.test(value)) throw new BadRequest(`${place}: the text holds half a surrogate pair`);
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) refuseIllFormed(entry, `${place}[${index}]`);
  } else if (typeof value === "object" && value !== null) {
    for (const [key, entry] of Object.entries(value)) refuseIllFormed(entry, `${place}.${key}`);
  }
}

export function record(value: unknown, place: string): Record<string, unknown> {
  return isRecord(value) ? value : refuse(place, "an object", value);
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function list(value: unknown, place: string): readonly unknown[] {
  return Array.isArray(value) ? value : refuse(place, "an array", value);
}

export function optionalList(value: unknown, place: string): readonly unknown[] {
  return value === undefined || value === null ? [] : list(value, place);
}

export function text(value: unknown, place: string): string {
  return typeof value === "string" ? value : refuse(place, "text", value);
}

export function filledText(value: unknown, place: string): string {
  return typeof value === "string" && value !== "" ? value : refuse(place, "text that is not empty", value);
}

export function optionalText(value: unknown, place: string): string | undefined {
  return value === undefined || value === null ? undefined : text(value, place);
}
