import type { Fetch, FetchResponse } from "@ashlar/context/provider";
import { EnvError } from "../env-error.js";
import { type CheckedRequest, displayUrl, requestTarget } from "./request-target.js";
import type { TransportResponse } from "./transport.js";

type Send = (request: CheckedRequest) => Promise<TransportResponse>;

/** `fetch` for catalogue calls. It reads the whole body before it resolves, so that no caller can leave a socket open. */
export function createFetch(send: Send, maxBodyBytes: number): Fetch {
  return async (address, init = {}) => {
    const { method = "GET", headers = {}, body, signal } = init;
    const url = requestTarget(address);
    const response = await send({
      url,
      method: method.toUpperCase(),
      headers,
      ...(body === undefined ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    });
    return fetchResponse(url, response, await readText(url, response, maxBodyBytes));
  };
}

async function readText(url: URL, response: TransportResponse, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      throw new EnvError("provider", `${displayUrl(url)} answered with more than ${maxBytes} bytes`, {
        status: response.status,
      });
    }
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function fetchResponse(url: URL, { status, headers }: TransportResponse, text: string): FetchResponse {
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => headers[name.toLowerCase()] ?? null },
    text: async () => text,
    json: async () => parseJson(url, status, text),
  };
}

function parseJson(url: URL, status: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const start = JSON.stringify(text.trimStart().slice(0, 40));
    throw new EnvError(
      "provider",
      `${displayUrl(url)} answered ${status} with something other than JSON, beginning ${start}`,
      { status },
      { cause },
    );
  }
}
