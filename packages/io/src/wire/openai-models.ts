import { isObject } from "@ashlar/context";
import type { CatalogueQuery, ModelMetadata } from "@ashlar/context/provider";
import { kindOfStatus } from "../failure/classify.js";
import { IOError } from "../io-error.js";
import { apiUrl, type BaseUrlOptions } from "./base-url.js";

/** The models that `GET {base}/models` lists, by id. Rejects with kind `auth`, `network`, `provider` or `malformed`. */
export async function openaiModels(
  query: CatalogueQuery,
  options?: BaseUrlOptions,
): Promise<Readonly<Record<string, ModelMetadata>>> {
  const url = apiUrl(query.url, "models", options);
  const token = query.auth?.token;
  const response = await query.fetch(url, {
    headers: {
      accept: "application/json",
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    signal: query.signal,
  });
  if (!response.ok) throw statusError(response.status, url);
  const answer = await jsonOf(response, url);
  const entries: unknown = isObject(answer) ? answer.data : answer;
  if (!Array.isArray(entries)) throw notAList(url);
  return Object.fromEntries(
    entries.flatMap((entry) =>
      isObject(entry) && typeof entry.id === "string" ? [[entry.id, metadata(entry)]] : [],
    ),
  );
}

async function jsonOf(response: { readonly json: () => Promise<unknown> }, url: string): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    throw notAList(url, cause);
  }
}

function statusError(status: number, url: string): IOError {
  return new IOError(
    kindOfStatus(status),
    `The model list at ${new URL(url).pathname} answered with status ${status}`,
    { status },
  );
}

function notAList(url: string, cause?: unknown): IOError {
  const text = `What ${new URL(url).pathname} answered is not a model list; check that the base URL is that of an OpenAI-style API`;
  return new IOError("provider", text, {}, cause === undefined ? undefined : { cause });
}

/** vLLM, LM Studio, llama.cpp and OpenRouter each name the window in their own way. */
function metadata(entry: Readonly<Record<string, unknown>>): ModelMetadata {
  const meta = isObject(entry.meta) ? entry.meta : {};
  const window = [
    entry.max_model_len,
    entry.loaded_context_length,
    entry.context_length,
    meta.n_ctx,
    entry.context_window,
  ].find(isCount);
  const maximum = [entry.max_context_length, meta.n_ctx_train].find(isCount);
  return {
    ...(typeof entry.name === "string" ? { label: entry.name } : {}),
    ...(window === undefined ? {} : { contextWindow: window }),
    ...(maximum === undefined ? {} : { maxContextWindow: maximum }),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}
