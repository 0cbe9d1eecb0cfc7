import { errorText } from "../loop/tool-value.js";
import type { RunHost } from "./run-host.js";

/** Milliseconds that reading stored credentials may take. */
const RELOAD_LIMIT_MS = 10_000;

/** Reads the stored credentials again: are they other than before? False, with a notice, when that fails or takes too long. */
export async function reloadCredentials(
  { authReload, emitter, runtime }: Pick<RunHost, "authReload" | "emitter" | "runtime">,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const limit = runtime.wait(RELOAD_LIMIT_MS, AbortSignal.any([signal, over.signal]));
  try {
    return await Promise.race([authReload(), limit.then(() => false)]);
  } catch (error) {
    emitter.notice(`The stored credentials could not be read again: ${errorText(error)}`);
    return false;
  } finally {
    over.abort();
  }
}
