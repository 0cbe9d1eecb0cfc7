import { EnvError } from "../env-error.js";
import type { TransportRequest } from "./transport.js";

/** A request with its address checked; `method` may be any, for `fetch`. */
export interface CheckedRequest extends Omit<TransportRequest, "url" | "method"> {
  readonly url: URL;
  readonly method: string;
}

/** Checks a request's address. Throws kind `usage`, without repeating what may be secret in it. */
export function requestTarget(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined) {
    throw new EnvError(
      "usage",
      `"${withoutSecrets(address)}" is not a URL; expected one such as http://127.0.0.1:11434`,
      {
        argument: "url",
      },
    );
  }
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new EnvError("usage", `cannot reach ${url.protocol} addresses; expected http:// or https://`, {
      argument: "url",
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new EnvError("usage", `the URL of ${url.host} holds credentials; store them with a login instead`, {
      argument: "url",
    });
  }
  return url;
}

/** The address as errors show it: no query, no user name or password. */
export function displayUrl(url: URL): string {
  return url.origin + url.pathname;
}

function withoutSecrets(address: string): string {
  return address.replace(/\?.*$/s, "").replace(/\/\/[^/]*@/, "//");
}
