import { cutStart } from "../text-cut.js";

const TIMEOUT_MS = 500;
const CONTEXT_LINES = 3;
const MAX_CHARACTERS = 64 * 1024;

/** What changed, as `diff -u` shows it. Bounded in time and size; says so when it was too much. */
export async function unifiedDiff(shown: string, before: Uint8Array, after: Uint8Array): Promise<string> {
  const { createTwoFilesPatch, FILE_HEADERS_ONLY } = await import("diff");
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const patch = createTwoFilesPatch(
    `a/${shown}`,
    `b/${shown}`,
    decoder.decode(before),
    decoder.decode(after),
    undefined,
    undefined,
    { context: CONTEXT_LINES, timeout: TIMEOUT_MS, headerOptions: FILE_HEADERS_ONLY },
  );
  if (patch === undefined)
    return `--- a/${shown}\n+++ b/${shown}\n(the difference is too large to be shown)\n`;
  if (patch.length <= MAX_CHARACTERS) return patch;
  return `${cutStart(patch, MAX_CHARACTERS)}\n(${patch.length - MAX_CHARACTERS} more characters of the difference)\n`;
}
