import type { Message, ResponseEvent } from "@ashlar/context";
import {
  type AuthRecord,
  type CatalogueQuery,
  type ClassifiedError,
  type DetectedEndpoint,
  type DetectQuery,
  defineProvider,
  type KnownEndpoint,
  type LoginInput,
  type ModelMetadata,
  PROVIDER_CONTRACT,
  type ProviderClass,
  type ProviderMetadata,
  type SendBase,
  type WireContext,
  type WireMessage,
  type WireResponse,
} from "@ashlar/context/provider";
import { DEFAULT_URL } from "./address/address.js";
import { CLOUD_ENDPOINT, CLOUD_URL, endpointsOf, LOCAL_ENDPOINT } from "./address/environment.js";
import { listOf, recordOf, type UnknownRecord } from "./record.js";
import { chatBody, completeBody } from "./request/body.js";
import { requestSettings } from "./request/settings.js";
import { chooseThink, GENERAL_MODES } from "./request/thinking.js";
import { CallIds, highestMadeId } from "./response/call-ids.js";
import type { FrameEnd } from "./response/chat-frame.js";
import { ChatStream } from "./response/chat-stream.js";
import { errorEvent, type FailedRequest, refineThrown } from "./response/failure.js";
import { cutPromptWarning, weighCounts } from "./response/prompt-count.js";
import { listModels } from "./server/catalogue.js";
import { findServer, testServer } from "./server/probe.js";
import { Server } from "./server/server.js";
import { Session } from "./server/session.js";

/** What is looked up beside a request must not hold it up. */
const LOOKUP_MS = 3000;

interface ChatState {
  stream?: ChatStream;
}

class OllamaProvider {
  static readonly contract: number = PROVIDER_CONTRACT;
  static readonly provider: ProviderMetadata = {
    label: "Ollama",
    capabilities: { streaming: true, thinking: GENERAL_MODES, tools: true },
    framing: "ndjson",
  };
  static readonly knownEndpoints: readonly KnownEndpoint[] = [
    { name: LOCAL_ENDPOINT, label: "Ollama on this machine", url: DEFAULT_URL },
    {
      name: CLOUD_ENDPOINT,
      label: "Ollama cloud",
      url: CLOUD_URL,
      note: "Needs a key from https://ollama.com/settings/keys",
    },
  ];

  static detectEnvironment(
    environment: Readonly<Record<string, string | undefined>>,
  ): Readonly<Record<string, DetectedEndpoint>> {
    return endpointsOf(environment);
  }

  static detect(query: DetectQuery): Promise<Readonly<Record<string, DetectedEndpoint>>> {
    return findServer(query);
  }

  static models(query: CatalogueQuery): Promise<Readonly<Record<string, ModelMetadata>>> {
    return listModels(query);
  }

  static testConnection(query: CatalogueQuery): Promise<Readonly<Record<string, unknown>>> {
    return testServer(query);
  }

  static async login({ token }: LoginInput): Promise<AuthRecord> {
    const key = token?.trim() ?? "";
    return key === "" ? { type: "none" } : { type: "api_key", token: key };
  }

  readonly #io: WireContext;
  readonly #server: Server;
  readonly #session: Session;
  #estimatedTokens = 0;
  #context: readonly Message[] = [];

  constructor(url: string, io: WireContext) {
    this.#io = io;
    this.#session = Session.of(io);
    this.#server = new Server({
      url: this.#session.addressOf(url),
      auth: io.auth,
      signal: io.signal,
      fetch: io.fetch,
      timeoutMs: LOOKUP_MS,
    });
  }

  context2msg(context: readonly Message[], io: WireContext): WireMessage {
    this.#estimatedTokens = io.estimateTokens(context);
    this.#context = context;
    const settings = requestSettings(io.settings);
    return [{ ...settings.headers, ...this.#server.headers }, chatBody(context, io, settings)];
  }

  async send([headers, body]: WireMessage, base: SendBase): Promise<WireResponse> {
    const io = this.#io;
    const session = this.#session;
    await session.settle(this.#server, io, requestSettings(io.settings).contextWindow);
    io.reportContextUsage({ total: session.window });
    this.#warnOfImages(recordOf(body));
    const response = await base({
      url: this.#server.urlOf("/api/chat"),
      method: "POST",
      headers,
      body: completeBody(recordOf(body), session.numCtx, this.#think()),
    });
    await session.confirm(this.#server, io);
    return response;
  }

  msg2events(frame: unknown, state: ChatState, io: WireContext): readonly ResponseEvent[] {
    state.stream ??= new ChatStream({
      ids: new CallIds(() => highestMadeId(this.#context)),
      onError: (text) => errorEvent(text, this.#request()),
      onEnd: (end, doneReason) => ({ type: "done", doneReason, ...this.#usage(end, io) }),
    });
    return state.stream.push(frame);
  }

  classifyError(error: unknown, base: (error: unknown) => ClassifiedError): ClassifiedError {
    return refineThrown(error, base(error), this.#request());
  }

  #think(): string | boolean | undefined {
    const { thinking, model } = this.#io;
    if (thinking === undefined) return undefined;
    const choice = chooseThink(thinking, this.#session.facts.thinking);
    if ("think" in choice) return choice.think;
    const why = choice.omit;
    if (why !== undefined)
      this.#session.warnOnce(this.#io, `Thinking "${thinking}" was not asked of ${model}: ${why}.`);
    return undefined;
  }

  #warnOfImages({ messages }: UnknownRecord): void {
    const { capabilities } = this.#session.facts;
    if (capabilities === undefined || capabilities.includes("vision")) return;
    if (!listOf(messages).some((message) => recordOf(message).images !== undefined)) return;
    this.#session.warnOnce(
      this.#io,
      `${this.#io.model} does not take images; what is attached may be ignored.`,
    );
  }

  #usage(end: FrameEnd, io: WireContext): Pick<Extract<ResponseEvent, { type: "done" }>, "usage"> {
    const { countsWholePrompt, window, numCtx } = this.#session;
    const { usage, used, low } = weighCounts(end, this.#estimatedTokens);
    if (low && countsWholePrompt)
      io.warn(cutPromptWarning(end.promptTokens ?? 0, this.#estimatedTokens, numCtx));
    io.reportContextUsage({ total: window, ...(used !== undefined && { used }) });
    return usage === undefined ? {} : { usage };
  }

  #request(): FailedRequest {
    return {
      model: this.#io.model,
      url: this.#server.url,
      window: this.#session.window,
      estimatedTokens: this.#estimatedTokens,
    };
  }
}

/** Ollama's native API: the reference provider. */
export const Ollama: ProviderClass = defineProvider(OllamaProvider);
