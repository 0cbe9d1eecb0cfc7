import { notFound } from "./behaviours/refusals.js";
import { bareName, behaviourOf, behaviours } from "./behaviours/table.js";
import { decodeBody } from "./decode.js";
import { BadRequest, checkExchange, type Heard, questionOf } from "./heard.js";
import { type ModelFacts, refuseIncapable } from "./model-facts.js";
import { allocated, psBody, showBody, tagsBody } from "./ollama/catalogue.js";
import { ollamaChat } from "./ollama/chat-route.js";
import { modelsBody, openAIChat, openAIResponses } from "./openai/routes.js";
import { estimatedTokens, type Question } from "./question.js";
import type { Delivery, RefusalReply, Reply } from "./reply.js";
import type { Visit } from "./server/listener.js";
import { perform } from "./server/perform.js";
import type { WireRoute } from "./wire-route.js";

/** Decides what is answered; undefined leaves it to the model's name. */
export type FakeScript = (question: Question) => Reply | undefined;

export interface FakeServerOptions {
  /** Default: any free port. */
  readonly port?: number;
  /** Default `127.0.0.1`. */
  readonly host?: string;
  readonly script?: FakeScript;
  /** Further models, or other facts of the known ones. */
  readonly models?: Readonly<Record<string, ModelFacts>>;
  /** How every answer is sent, unless it says so itself. */
  readonly delivery?: Delivery;
  /** Any request without this bearer token gets 401. */
  readonly apiKey?: string;
  /** What `/api/version` says. Default `0.40.12`. */
  readonly version?: string;
  /** Path prefix of the OpenAI wires. Default `/v1`. */
  readonly openAIPath?: string;
  /** Paths that answer 404, as on servers that lack them. */
  readonly missing?: readonly string[];
  /** Paths that never answer. */
  readonly silent?: readonly string[];
}

/** Which families of routes a server has. */
export interface Families {
  readonly ollama: boolean;
  readonly openAI: boolean;
}

/** The behaviour behind the listener: catalogue, answers, and what is remembered between requests. */
export class FakeServer {
  readonly #options: FakeServerOptions;
  readonly #routes: ReadonlyMap<string, (visit: Visit) => Promise<void>>;
  readonly #models: Map<string, ModelFacts>;
  readonly #attempts = new Map<string, number>();
  readonly #loaded = new Map<string, number>();
  #calls = 0;

  constructor(options: FakeServerOptions, families: Families) {
    this.#options = options;
    this.#models = new Map(behaviours.map(({ name, facts }) => [name, facts ?? {}]));
    for (const [name, facts] of Object.entries(options.models ?? {})) this.#models.set(name, facts);
    this.#routes = new Map([
      ...(families.ollama ? this.#ollamaRoutes() : []),
      ...(families.openAI ? this.#openAIRoutes(options.openAIPath ?? "/v1") : []),
    ]);
  }

  async handle(visit: Visit): Promise<void> {
    const { entry, bytes } = visit;
    entry.text = new TextDecoder().decode(bytes);
    const { apiKey, missing = [], silent = [] } = this.#options;
    if (silent.includes(entry.path)) return;
    if (apiKey !== undefined && entry.headers.authorization !== `Bearer ${apiKey}`) {
      return send(visit, 401, { error: "unauthorized" });
    }
    const route = missing.includes(entry.path)
      ? undefined
      : this.#routes.get(`${entry.method} ${entry.path}`);
    if (route === undefined) return sendText(visit, 404, "<html><body>404 page not found</body></html>");
    try {
      await route(visit);
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      const { refusal } = entry.path.startsWith("/api/") ? ollamaChat : openAIChat;
      send(visit, 400, refusal({ status: 400, error: error.message }));
    }
  }

  #ollamaRoutes(): [string, (visit: Visit) => Promise<void>][] {
    const version = { version: this.#options.version ?? "0.40.12" };
    return [
      ["GET /", async (visit) => sendText(visit, 200, "Ollama is running")],
      ["HEAD /", async (visit) => sendText(visit, 200, "")],
      ["GET /api/version", async (visit) => send(visit, 200, version)],
      ["GET /api/tags", async (visit) => send(visit, 200, tagsBody(this.#models))],
      ["GET /api/ps", async (visit) => send(visit, 200, psBody(this.#loaded, this.#models))],
      ["POST /api/show", async (visit) => this.#show(visit)],
      ["POST /api/chat", (visit) => this.#answer(visit, ollamaChat)],
    ];
  }

  #openAIRoutes(prefix: string): [string, (visit: Visit) => Promise<void>][] {
    return [
      [`GET ${prefix}/models`, async (visit) => send(visit, 200, modelsBody(this.#models.keys()))],
      [`POST ${prefix}/chat/completions`, (visit) => this.#answer(visit, openAIChat)],
      [`POST ${prefix}/responses`, (visit) => this.#answer(visit, openAIResponses)],
    ];
  }

  #show(visit: Visit): void {
    const body = decodeBody(visit.bytes);
    visit.entry.body = body;
    const name = String(body.model ?? body.name);
    const facts = this.#models.get(bareName(name));
    if (facts === undefined) send(visit, 404, ollamaChat.refusal(notFound(name)));
    else send(visit, 200, showBody(facts));
  }

  async #answer(visit: Visit, route: WireRoute): Promise<void> {
    const body = decodeBody(visit.bytes);
    visit.entry.body = body;
    const heard = route.hear(body);
    visit.entry.wire = heard.wire;
    checkExchange(heard.messages);
    const reply = this.#reply(heard);
    if ("silent" in reply) return;
    if ("status" in reply) return refuseRequest(visit, route, reply);
    await perform(reply, visit, {
      encoder: route.encoder(heard, new Date()),
      stream: typeof heard.body.stream === "boolean" ? heard.body.stream : route.streamsByDefault,
      delivery: this.#options.delivery ?? {},
      inputTokens: estimatedTokens(heard.body),
      nextCallId: () => `call_${++this.#calls}`,
    });
  }

  #reply(heard: Heard): Reply {
    const model = bareName(heard.model);
    const attempt = this.#attempts.get(model) ?? 0;
    this.#attempts.set(model, attempt + 1);
    const question = questionOf({ ...heard, model }, attempt);
    const facts = this.#models.get(model);
    const refusal = facts && refuseIncapable({ ...heard, model }, facts);
    if (refusal !== undefined) return refusal;
    if (facts !== undefined && heard.wire === "ollama") this.#load(model, facts, heard);
    const scripted = this.#options.script?.(question);
    if (scripted !== undefined) return scripted;
    return behaviourOf(model)?.reply(question) ?? notFound(model);
  }

  #load(model: string, facts: ModelFacts, { body }: Heard): void {
    const options: unknown = body.options;
    const numCtx =
      typeof options === "object" && options !== null && "num_ctx" in options ? options.num_ctx : undefined;
    this.#loaded.set(model, allocated(facts, numCtx));
  }
}

function refuseRequest(visit: Visit, route: WireRoute, reply: RefusalReply): void {
  for (const [name, value] of Object.entries(reply.headers ?? {})) visit.response.setHeader(name, value);
  send(visit, reply.status, route.refusal(reply));
}

function send({ entry, response }: Visit, status: number, body: unknown): void {
  entry.status = status;
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

function sendText({ entry, response }: Visit, status: number, text: string): void {
  entry.status = status;
  response.writeHead(status, { "content-type": status === 404 ? "text/html" : "text/plain" }).end(text);
}
