import { countOf, isRecord, listOf, recordOf, textOf } from "../record.js";
import { taggedName } from "./model-name.js";

/** More than this is never taken unasked: the memory of a window grows with its length. */
const LARGEST_UNASKED_WINDOW = 32_768;

/** The window when neither the settings nor a loaded model decide. */
export function defaultWindow(maximum: number | undefined): number {
  return Math.min(maximum ?? LARGEST_UNASKED_WINDOW, LARGEST_UNASKED_WINDOW);
}

/** The context length with which a model is loaded, from `/api/ps`; undefined when it is not, or the server does not say. */
export function loadedWindow(answer: unknown, model: string): number | undefined {
  const wanted = taggedName(model);
  const running = listOf(recordOf(answer).models)
    .filter(isRecord)
    .find((entry) => [entry.name, entry.model].some((name) => taggedName(textOf(name) ?? "") === wanted));
  const length = countOf(running?.context_length);
  return length === 0 ? undefined : length;
}

/** What is said when the server gave a model less than was asked. */
export function shortfallWarning(model: string, asked: number, allocated: number): string {
  return `Ollama runs ${model} with a context window of ${allocated} tokens, not the ${asked} that were asked for. Free memory, lower the window (setting contextWindow), or choose a smaller model.`;
}
