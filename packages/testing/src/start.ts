import { FakeServer, type FakeServerOptions, type Families } from "./fake-server.js";
import { listen } from "./server/listener.js";
import type { RecordedRequest } from "./server/recorded-request.js";

/** A fake server that is listening. */
export interface RunningServer {
  /** What a client is configured with. */
  readonly url: string;
  readonly port: number;
  /** Every request so far, catalogue included. */
  readonly requests: readonly RecordedRequest[];
  /** The requests that asked for an answer. */
  readonly asked: () => readonly RecordedRequest[];
  readonly close: () => Promise<void>;
}

/** A fake LLM server with both wires on one port. */
export interface RunningLLM extends RunningServer {
  readonly ollamaUrl: string;
  readonly openAIUrl: string;
}

/** Starts a server that speaks Ollama's native wire. */
export async function startFakeOllama(options: FakeServerOptions = {}): Promise<RunningServer> {
  return start(options, { ollama: true, openAI: false }, "");
}

/** Starts a server that speaks both OpenAI wires, Chat Completions and Responses. */
export async function startFakeOpenAI(options: FakeServerOptions = {}): Promise<RunningServer> {
  return start(options, { ollama: false, openAI: true }, options.openAIPath ?? "/v1");
}

/** Starts a server that speaks all wires, as Ollama itself does. */
export async function startFakeLLM(options: FakeServerOptions = {}): Promise<RunningLLM> {
  const server = await start(options, { ollama: true, openAI: true }, "");
  return { ...server, ollamaUrl: server.url, openAIUrl: `${server.url}${options.openAIPath ?? "/v1"}` };
}

async function start(options: FakeServerOptions, families: Families, path: string): Promise<RunningServer> {
  const server = new FakeServer(options, families);
  const host = options.host ?? "127.0.0.1";
  const listener = await listen({ port: options.port, host }, (visit) => server.handle(visit));
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${listener.port}${path}`,
    port: listener.port,
    requests: listener.requests,
    asked: () => listener.requests.filter(({ path: asked, method }) => method === "POST" && isAsking(asked)),
    close: listener.close,
  };
}

/** By path, because a request that was refused as malformed asked as well. */
function isAsking(path: string): boolean {
  return /\/(api\/chat|chat\/completions|responses)$/.test(path);
}
