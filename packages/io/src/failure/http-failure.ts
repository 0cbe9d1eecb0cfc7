import type { WireResponse } from "@ashlar/context/provider";
import type { Clock } from "../clock.js";
import { IOError } from "../io-error.js";
import { kindOfStatus } from "./classify.js";
import { readErrorBody } from "./error-body.js";
import { retryAfterOf } from "./retry-after.js";

/** What of an error body is read, and how long. */
const MAX_BODY_BYTES = 64 * 1024;
const MAX_BODY_MS = 5000;

/** What was asked for, for the message. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  /** Qualified `endpoint/model`. */
  readonly selector: string;
}

/** Reads an answer that is no success and says it as an error, with the likely remedy. */
export async function httpFailure(response: WireResponse, asked: Asked, clock: Clock): Promise<IOError> {
  const { message, code, body } = readErrorBody(await readText(response.body, clock));
  const { status } = response;
  const said = message ?? "no explanation";
  const text = `${asked.selector}: HTTP ${status}: ${sentence(said)} ${remedy(status, asked)}`.trimEnd();
  const retryAfterMs = retryAfterOf(response.headers, said, clock.epoch());
  return new IOError(kindOfStatus(status), text, {
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(code !== undefined && { code }),
    ...(body !== undefined && { body }),
  });
}

/** A success whose body cannot be an answer of a model, such as the login page of a proxy. */
export async function pageInsteadOfAnswer(
  response: WireResponse,
  asked: Asked,
  clock: Clock,
): Promise<IOError> {
  const { message } = readErrorBody(await readText(response.body, clock));
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

/** The text with one full stop. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

/** As much of the body as comes in time: the status says the failure, a torn or hanging body may not hide it. */
async function readText(body: AsyncIterable<Uint8Array>, clock: Clock): Promise<string> {
  const text = new BoundedText(MAX_BODY_BYTES);
  let cancel = (): void => undefined;
  const late = new Promise<void>((resolve) => {
    cancel = clock.after(MAX_BODY_MS, resolve);
  });
  const read = async (): Promise<void> => {
    for await (const chunk of body) if (text.add(chunk)) return;
  };
  try {
    await Promise.race([read(), late]);
  } catch {
    // What came before the body broke off is all that there will be.
  } finally {
    cancel();
  }
  return text.end();
}

class BoundedText {
  readonly #decoder = new TextDecoder();
  #left: number;
  #text = "";

  constructor(maxBytes: number) {
    this.#left = maxBytes;
  }

  /** True: it is full. */
  add(chunk: Uint8Array): boolean {
    const part = chunk.subarray(0, this.#left);
    this.#text += this.#decoder.decode(part, { stream: true });
    this.#left -= part.length;
    return this.#left === 0;
  }

  end(): string {
    return this.#text + this.#decoder.decode();
  }
}
