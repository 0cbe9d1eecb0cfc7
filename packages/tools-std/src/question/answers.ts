import type { Answer } from "@ashlar/context/tool";
import { cutStart } from "../text-cut.js";

const MAX_TEXT = 4000;

/** One answer for each question, whatever the host gave: what is missing or empty counts as abandoned. */
export function decodeAnswers(given: unknown, questions: number): readonly Answer[] {
  const list: readonly unknown[] = Array.isArray(given) ? given : [];
  return Array.from({ length: questions }, (_, index) => decodeAnswer(list[index]));
}

function decodeAnswer(value: unknown): Answer {
  if (typeof value !== "object" || value === null) return { abandoned: true };
  if ("labels" in value && Array.isArray(value.labels)) {
    const labels = value.labels.filter((label): label is string => typeof label === "string");
    return labels.length === 0 ? { abandoned: true } : { labels };
  }
  if ("text" in value && typeof value.text === "string" && value.text.trim() !== "") {
    return { text: cutStart(value.text.trim(), MAX_TEXT) };
  }
  return { abandoned: true };
}
