import { readFileSync } from "node:fs";

/** The bytes of one recorded answer. */
export function fixture(name: string): Buffer {
  return readFileSync(new URL(`./fixtures/${name}.ndjson`, import.meta.url));
}

/** A recorded answer of one line, parsed. */
export function fixtureJson(name: string): unknown {
  return JSON.parse(fixture(name).toString());
}
