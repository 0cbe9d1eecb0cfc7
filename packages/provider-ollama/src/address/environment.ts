import type { AuthRecord, DetectedEndpoint } from "@ashlar/context/provider";
import { DEFAULT_URL, parseAddress } from "./address.js";

export const CLOUD_URL = "https://ollama.com";
export const LOCAL_ENDPOINT = "ollama";
export const CLOUD_ENDPOINT = "ollama-cloud";

type Environment = Readonly<Record<string, string | undefined>>;

/** The server that `OLLAMA_HOST` names, and the cloud when `OLLAMA_API_KEY` is set. Throws kind `malformed` for a wrong `OLLAMA_HOST`. */
export function endpointsOf(environment: Environment): Readonly<Record<string, DetectedEndpoint>> {
  const host = hostOf(environment);
  const key = keyOf(environment);
  return {
    ...(host && { [LOCAL_ENDPOINT]: host }),
    ...(key && { [CLOUD_ENDPOINT]: { url: CLOUD_URL, auth: key } }),
  };
}

/** The server to look for: `OLLAMA_HOST`, else the default address. */
export function localEndpoint(environment: Environment): DetectedEndpoint {
  return hostOf(environment) ?? { url: DEFAULT_URL };
}

function hostOf(environment: Environment): DetectedEndpoint | undefined {
  const address = parseAddress(environment.OLLAMA_HOST ?? "", "OLLAMA_HOST");
  if (address === undefined) return undefined;
  // The key is for the cloud; it goes to another server only where nobody on the way can read it.
  const key = address.url.startsWith("https://") ? keyOf(environment) : undefined;
  const auth = address.auth ?? key;
  return { url: address.url, ...(auth && { auth }) };
}

function keyOf(environment: Environment): AuthRecord | undefined {
  const token = environment.OLLAMA_API_KEY?.trim() ?? "";
  return token === "" ? undefined : { type: "api_key", token };
}
