import parse from "parse-duration";
import { EnvError } from "./env-error.js";

/** JSON Schema pattern of a duration text: `500ms`, `30s`, `1h 30m`, `1.5 h`, `2d`. */
export const DURATION_PATTERN =
  "^\\s*\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)(\\s*\\d+(\\.\\d+)?\\s*(ms|s|m|h|d))*\\s*$";

const text = new RegExp(DURATION_PATTERN, "u");

/** Milliseconds of a number or a text such as `30s`. Positive and finite, else kind `settings`; `key` names it in the error. */
export function parseDuration(value: unknown, key = "duration"): number {
  const milliseconds =
    typeof value === "number"
      ? value
      : typeof value === "string" && text.test(value)
        ? parse(value)
        : undefined;
  if (typeof milliseconds === "number" && Number.isFinite(milliseconds) && milliseconds > 0)
    return milliseconds;
  throw new EnvError(
    "settings",
    `${key}: ${JSON.stringify(value) ?? typeof value} is not a duration. Give milliseconds above 0, or a text such as "500ms", "30s", "5m", "1h 30m".`,
    { key },
  );
}
