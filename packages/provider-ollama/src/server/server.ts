import type { AuthRecord, Fetch } from "@ashlar/context/provider";
import { type Address, callUrl, readAddress } from "../address/address.js";
import { authorization } from "../address/headers.js";
import { OllamaError } from "../ollama-error.js";
import { recordOf, textOf } from "../record.js";

export interface ServerOptions {
  /** As configured: any form that `parseAddress` reads, or what it read. */
  readonly url: string | Address;
  readonly auth: AuthRecord | undefined;
  readonly signal: AbortSignal;
  readonly fetch: Fetch;
  /** Milliseconds that one call may take. Default: as long as the signal lets it. */
  readonly timeoutMs?: number;
}

/** The small calls of one server: everything but the chat itself. */
export class Server {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #options: ServerOptions;

  /** Throws kind `malformed` for a url that cannot be used. */
  constructor(options: ServerOptions) {
    const address = typeof options.url === "string" ? readAddress(options.url) : options.url;
    this.url = address.url;
    this.headers = authorization(options.auth ?? address.auth);
    this.#options = options;
  }

  get(path: string): Promise<unknown> {
    return this.#call(path, { method: "GET" });
  }

  post(path: string, body: unknown): Promise<unknown> {
    return this.#call(path, { method: "POST", body: JSON.stringify(body) });
  }

  urlOf(path: string): string {
    return callUrl(this.url, path);
  }

  /** Rejects with kind `auth` or `provider` for a refusal, and with the transport's error for no answer. */
  async #call(path: string, init: { readonly method: string; readonly body?: string }): Promise<unknown> {
    const { signal, timeoutMs } = this.#options;
    if (timeoutMs === undefined) return this.#exchange(path, { ...init, signal });
    // Not AbortSignal.timeout: Node 20 may collect one that only AbortSignal.any knows of, and then it never fires.
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    try {
      return await this.#exchange(path, { ...init, signal: AbortSignal.any([signal, limit.signal]) });
    } finally {
      clearTimeout(timer);
    }
  }

  async #exchange(
    path: string,
    init: { readonly method: string; readonly body?: string; readonly signal: AbortSignal },
  ): Promise<unknown> {
    const type = init.body === undefined ? {} : { "content-type": "application/json" };
    const response = await this.#options.fetch(this.urlOf(path), {
      ...init,
      headers: { ...this.headers, ...type },
    });
    const { status } = response;
    if (response.ok) return decode(await response.text(), path);
    const said = errorText(await response.text());
    const message = `Ollama answered ${path} with HTTP ${status}${said === "" ? "" : `: ${said}`}`;
    if (status === 401 || status === 403) throw new OllamaError("auth", message, { status });
    throw new OllamaError("provider", message, { status });
  }
}

function decode(body: string, path: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new OllamaError(
      "provider",
      `The answer to ${path} is no JSON: is this an Ollama server?`,
      {},
      { cause },
    );
  }
}

const MAX_ERROR_CHARACTERS = 300;

/** What an error body says. HTML says nothing. */
function errorText(body: string): string {
  if (/^\s*</.test(body)) return "";
  let value: unknown = body;
  try {
    value = recordOf(JSON.parse(body)).error;
  } catch {
    // Not JSON: the text itself is the message.
  }
  return (textOf(value) ?? "").trim().slice(0, MAX_ERROR_CHARACTERS);
}
