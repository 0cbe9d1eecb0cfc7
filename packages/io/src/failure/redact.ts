import type { AuthRecord } from "@ashlar/context/provider";

/** Shorter values are words that may stand in any text. */
const MIN_SECRET_CHARACTERS = 6;
const REDACTED = "[secret]";

/** The values of stored credentials that must not show in a text: every string in the record but its type. */
export function secretsOf(auth: AuthRecord | undefined): readonly string[] {
  if (auth === undefined) return [];
  return Object.entries(auth)
    .filter(([key]) => key !== "type")
    .map(([, value]) => value)
    .filter((value) => typeof value === "string" && value.length >= MIN_SECRET_CHARACTERS)
    .map(String);
}

/** The text with every occurrence of a secret replaced. */
export function redact(text: string, secrets: readonly string[]): string {
  let safe = text;
  for (const secret of secrets) safe = safe.replaceAll(secret, REDACTED);
  return safe;
}
