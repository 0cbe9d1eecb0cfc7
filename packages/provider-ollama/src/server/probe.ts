import type { CatalogueQuery, DetectedEndpoint, DetectQuery } from "@ashlar/context/provider";
import { CLOUD_URL, LOCAL_ENDPOINT, localEndpoint } from "../address/environment.js";
import { OllamaError } from "../ollama-error.js";
import { listOf, recordOf, textOf } from "../record.js";
import { Server } from "./server.js";

/** Looks for a live server at `OLLAMA_HOST` or the default address, unless one is configured. */
export async function findServer(query: DetectQuery): Promise<Readonly<Record<string, DetectedEndpoint>>> {
  if (query.endpoints.includes(LOCAL_ENDPOINT)) return {};
  const endpoint = localEndpoint(query.environment);
  const server = new Server({ ...query, url: endpoint.url, auth: endpoint.auth });
  try {
    const version = textOf(recordOf(await server.get("/api/version")).version);
    return version === undefined ? {} : { [LOCAL_ENDPOINT]: endpoint };
  } catch {
    // Nothing that answers as Ollama does is there: the ordinary case on a machine without it.
    return {};
  }
}

/** Resolves with the version and the number of models. Rejects when the server or the credentials do not work. */
export async function testServer(query: CatalogueQuery): Promise<Readonly<Record<string, unknown>>> {
  const server = new Server(query);
  const version = textOf(recordOf(await server.get("/api/version")).version);
  const { models } = recordOf(await server.get("/api/tags"));
  if (version === undefined || !Array.isArray(models)) {
    throw new OllamaError("provider", `${server.url} answers, but not as an Ollama server does`, {});
  }
  // The cloud lists its models to everybody; only this call needs a key that works.
  if (server.url === CLOUD_URL) await server.post("/api/me", {});
  return { version, models: listOf(models).length };
}
