import { AgentError } from "../agent-error.js";
import { SummaryOverflow } from "./summary-requests.js";

/** Times that a summary is begun anew with smaller requests, because one did not fit. */
const SMALLER_TRIES = 2;

/**
 * Writes a summary with requests of at most so many tokens, and begins anew with smaller ones when one does not fit.
 * `write` gives undefined for requests that are too small. Throws kind `compaction`.
 */
export async function writeSummary(
  largest: number,
  write: (request: number) => Promise<string | undefined>,
): Promise<string> {
  let request = largest;
  for (let tries = 0; ; tries += 1) {
    try {
      const text = await write(request);
      if (text !== undefined) return text;
      const problem = `A request of ${Math.floor(request)} tokens is too small for a summary.`;
      throw new AgentError("compaction", problem, { reason: "summary" });
    } catch (error) {
      if (!(error instanceof SummaryOverflow)) throw error;
      if (tries >= SMALLER_TRIES) throw new AgentError("compaction", error.message, { reason: "request" });
      request = Math.min(request, error.window ?? request) / 2;
    }
  }
}
