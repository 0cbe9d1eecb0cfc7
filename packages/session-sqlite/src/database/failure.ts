import { isObject } from "@ashlar/context";

/** What SQLite's result means for us. `full` and `io` are the medium's fault. */
export type Failure = "busy" | "readonly" | "io" | "full" | "corrupt" | "foreign" | "unopened" | "other";

const BY_CODE: Readonly<Record<number, Failure>> = {
  5: "busy",
  6: "busy",
  8: "readonly",
  10: "io",
  11: "corrupt",
  13: "full",
  14: "unopened",
  26: "foreign",
};

/** Texts of SQLite, for a driver that hands on no code. */
const BY_TEXT: readonly (readonly [string, Failure])[] = [
  ["database is locked", "busy"],
  ["database table is locked", "busy"],
  ["readonly database", "readonly"],
  ["disk I/O error", "io"],
  ["malformed", "corrupt"],
  ["corruption found", "corrupt"],
  ["is full", "full"],
  ["open the database", "unopened"],
  ["open database file", "unopened"],
  ["not a database", "foreign"],
];

/** Undefined for an error that is not SQLite's. */
export function failureOf(error: unknown): Failure | undefined {
  if (!isObject(error) || typeof error.message !== "string") return undefined;
  const { message, errcode, name, code } = error;
  if (code === "ERR_SQLITE_ERROR" && typeof errcode === "number") return BY_CODE[errcode & 0xff] ?? "other";
  if (name !== "SQLite3Error") return undefined;
  return BY_TEXT.find(([text]) => message.includes(text))?.[1] ?? "other";
}
