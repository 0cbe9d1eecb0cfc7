import type { CatalogueQuery, ModelMetadata } from "@ashlar/context/provider";
import { isRecord, listOf, recordOf, textOf, type UnknownRecord } from "../record.js";
import { requestSettings } from "../request/settings.js";
import { defaultWindow } from "./context-window.js";
import { factsOfShow, factsOfTag, type ModelFacts } from "./model-facts.js";
import { shortName } from "./model-name.js";
import { Server } from "./server.js";

const CONCURRENT_CALLS = 4;
const MAX_KNOWN_MODELS = 512;

/** Facts by digest: a model with the same digest is the same model, on any server. */
const known = new Map<string, ModelFacts>();

interface Listed {
  readonly name: string;
  readonly entry: UnknownRecord;
}

/** The models of a server. One whose details cannot be had is listed without them. */
export async function listModels(query: CatalogueQuery): Promise<Readonly<Record<string, ModelMetadata>>> {
  const server = new Server(query);
  const configured = requestSettings(query.settings).contextWindow;
  const listed = listOf(recordOf(await server.get("/api/tags")).models).flatMap(readEntry);
  const models = new Map<string, ModelMetadata>();
  const waiting = [...listed];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      models.set(next.name, metadataOf(await factsOf(next, server, query.signal), configured));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_CALLS }, work));
  return inOrder(listed, models);
}

function readEntry(entry: unknown): Listed[] {
  if (!isRecord(entry)) return [];
  const name = textOf(entry.name) ?? textOf(entry.model);
  return name === undefined || name === "" ? [] : [{ name, entry }];
}

async function factsOf(
  { name, entry }: Listed,
  server: Server,
  signal: AbortSignal,
): Promise<ModelFacts | undefined> {
  const digest = textOf(entry.digest);
  const remembered = digest === undefined ? undefined : known.get(digest);
  if (remembered !== undefined) return remembered;
  try {
    const facts = factsOfTag(entry) ?? factsOfShow(await server.post("/api/show", { model: name }));
    if (digest !== undefined) remember(digest, facts);
    return facts;
  } catch (error) {
    if (signal.aborted) throw error;
    // The list is worth more than the details of one model, which the first request asks for again.
    return undefined;
  }
}

function remember(digest: string, facts: ModelFacts): void {
  const [oldest] = known.keys();
  if (known.size >= MAX_KNOWN_MODELS && oldest !== undefined) known.delete(oldest);
  known.set(digest, facts);
}

function metadataOf(facts: ModelFacts | undefined, configured: number | undefined): ModelMetadata {
  const { capabilities, contextLength, thinking } = facts ?? {};
  return {
    contextWindow: configured ?? defaultWindow(contextLength),
    ...(contextLength !== undefined && { maxContextWindow: contextLength }),
    ...(thinking !== undefined && { thinking }),
    ...(capabilities !== undefined && {
      tools: capabilities.includes("tools"),
      input: capabilities.includes("vision") ? ["text", "image"] : ["text"],
      // A model that cannot chat, such as one for embeddings, is no offer.
      ...(!capabilities.includes("completion") && { secret: true }),
    }),
  };
}

/** In the server's order, each name that may be written without `:latest` also in its short form, hidden. */
function inOrder(
  listed: readonly Listed[],
  models: ReadonlyMap<string, ModelMetadata>,
): Readonly<Record<string, ModelMetadata>> {
  const ordered = new Map(listed.map(({ name }) => [name, models.get(name) ?? {}]));
  for (const { name } of listed) {
    const short = shortName(name);
    if (short !== undefined && !ordered.has(short)) ordered.set(short, { ...models.get(name), secret: true });
  }
  return Object.fromEntries(ordered);
}
