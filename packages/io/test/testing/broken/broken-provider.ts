import type { ProviderSubject } from "../../../src/testing/index.js";

/** A provider with one mistake, and how the kit must find it. */
export interface BrokenProvider {
  readonly mistake: string;
  /** Name of the case that fails. */
  readonly fails: string;
  /** What the failure says. */
  readonly says: RegExp;
  readonly subject: ProviderSubject;
}
