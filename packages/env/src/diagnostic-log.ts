import type { Diagnostic } from "./env.js";

/** Messages to keep; older ones go first. */
const MAX_DIAGNOSTICS = 500;

/** What went wrong without stopping anything, each message once. */
export class DiagnosticLog {
  readonly #entries = new Map<string, Diagnostic>();

  add(diagnostic: Diagnostic): void {
    const id = JSON.stringify([diagnostic.kind, diagnostic.message, diagnostic.file]);
    if (this.#entries.has(id)) return;
    this.#entries.set(id, Object.freeze({ ...diagnostic }));
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_DIAGNOSTICS && oldest !== undefined) this.#entries.delete(oldest);
  }

  entries(): readonly Diagnostic[] {
    return [...this.#entries.values()];
  }
}
