import type { WireResponse } from "@ashlar/context/provider";
import { IOError } from "../io-error.js";
import { kindOfStatus } from "./classify.js";
import { readErrorBody } from "./error-body.js";
import { retryAfterOf } from "./retry-after.js";

/** What of an error body is read. */
const MAX_BODY_BYTES = 64 * 1024;

/** What was asked for, for the message. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  /** Qualified `endpoint/model`. */
  readonly selector: string;
}

/** Reads an answer that is no success and says it as an error, with the likely remedy. */
export async function httpFailure(response: WireResponse, asked: Asked, epochMs: number): Promise<IOError> {
  const { message, code, body } = readErrorBody(await readText(response.body));
  const { status } = response;
  const said = message ?? "no explanation";
  const text = `${asked.selector}: HTTP ${status}: ${said}. ${remedy(status, asked)}`.trimEnd();
  const retryAfterMs = retryAfterOf(response.headers, said, epochMs);
  return new IOError(kindOfStatus(status), text, {
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(code !== undefined && { code }),
    ...(body !== undefined && { body }),
  });
}

/** A success whose body cannot be an answer of a model, such as the login page of a proxy. */
export async function pageInsteadOfAnswer(response: WireResponse, asked: Asked): Promise<IOError> {
  const { message } = readErrorBody(await readText(response.body));
  const text = `${asked.selector}: ${shown(asked.url)} answered with ${message ?? "an empty page"}. Check the endpoint's url.`;
  return new IOError("provider", text, { retryable: false });
}

function remedy(status: number, { method, url }: Asked): string {
  const where = `${method} ${shown(url)}`;
  if (status === 401 || status === 403) return "Check the credentials stored for this endpoint.";
  if (status === 404) {
    return `Asked ${where}: check that the model's name is right and installed, and that the endpoint's url is.`;
  }
  if (status === 405) return `Asked ${where}: check the endpoint's url.`;
  return "";
}

/** The address without query, user name and password. */
function shown(address: string): string {
  if (!URL.canParse(address)) return "the endpoint";
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let left = MAX_BODY_BYTES;
  for await (const chunk of body) {
    const part = chunk.length > left ? chunk.subarray(0, left) : chunk;
    text += decoder.decode(part, { stream: true });
    left -= part.length;
    if (left === 0) break;
  }
  return text + decoder.decode();
}
