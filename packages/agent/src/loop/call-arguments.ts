/** The arguments of a call as the model meant them; `note` says what was read differently from what came. */
export type ReadArguments =
  | { readonly ok: true; readonly args: unknown; readonly note?: string }
  | { readonly ok: false; readonly problem: string };

const SHOWN_TAIL = 60;

/** Reads a call's arguments. A text that is not whole JSON is never repaired. */
export function readArguments(given: unknown): ReadArguments {
  if (given === undefined || given === null || given === "") return { ok: true, args: {} };
  if (typeof given !== "string") return { ok: true, args: given };
  const parsed = parseJson(given);
  if (parsed === undefined) return { ok: false, problem: cutProblem(given) };
  return { ok: true, args: parsed.value, note: "the arguments came as text and were read as JSON" };
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    // Not JSON is an answer here: the caller reports it.
    return undefined;
  }
}

function cutProblem(text: string): string {
  const tail = text.length > SHOWN_TAIL ? `…${text.slice(-SHOWN_TAIL)}` : text;
  return `The arguments are not whole JSON: ${text.length} characters came, ending in ${JSON.stringify(tail)}. They were probably cut by the output limit. Nothing was run. Send the call again in smaller pieces.`;
}
