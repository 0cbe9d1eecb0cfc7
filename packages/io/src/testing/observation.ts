import {
  type Message,
  MessageType,
  type ResponseEvent,
  type TerminalEvent,
  type ToolCallBlock,
} from "@ashlar/context";
import { type AuthRecord, accept, type ProviderClass, type ToolDescriptor } from "@ashlar/context/provider";
import { connect } from "../connect.js";
import { IO } from "../io.js";
import type { Timeouts } from "../timeouts.js";
import { within } from "./deadline.js";
import { expectThat } from "./expectation.js";
import { contentTypeOf, frameBytes } from "./frame-bytes.js";
import { type ReplayedRequest, type Reply, startReplay } from "./replay-server.js";
import { type Spied, spyOn } from "./spy.js";
import type { ProviderSubject } from "./subject.js";

/** The credentials of every request whose subject names none. Long and odd enough to be found wherever it leaks. */
export const SECRET = "conformance-secret-7Q3xWm19";

/** No recording takes longer; a request that does has hung. */
const OVERALL_MS = 15_000;
/** Far more than a socket of this machine needs to close. */
const SOCKET_CLOSES_MS = 3_000;
/** After the limit of the request, for what its end may still take. */
const GRACE_MS = 5_000;

export interface ObserveOptions {
  /** The recorded answer, sent whole. */
  readonly frames?: readonly unknown[];
  /** Instead of `frames`: how the answer comes. */
  readonly reply?: Partial<Reply>;
  readonly context?: readonly Message[];
  readonly tools?: readonly ToolDescriptor[];
  readonly timeouts?: Timeouts;
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: ResponseEvent) => void;
  /** The server has the whole request. */
  readonly onRequest?: () => void;
  /** The client is to close its socket before the answer is whole: waits until the server has seen it. */
  readonly closesSocket?: boolean;
  /** Instead of the replay server's own address. */
  readonly url?: string;
}

/** One request, seen from both ends. */
export interface Observation {
  /** As the caller of IO gets them. */
  readonly events: readonly ResponseEvent[];
  readonly terminal: TerminalEvent;
  /** What the provider got and made of it, of the last attempt. */
  readonly spied: Spied;
  /** Requests that asked for an answer. */
  readonly requests: readonly ReplayedRequest[];
}

export const HELLO: readonly Message[] = [
  { type: MessageType.user, content: [{ type: "text", text: "Say hello." }] },
];

/** Runs one request of the subject against recorded bytes. */
export async function observe(subject: ProviderSubject, options: ObserveOptions): Promise<Observation> {
  const { wire } = subject;
  const server = await startReplay({
    path: wire.path,
    routes: { ...wire.routes, ...modelsRoute(subject) },
    replies: [replyOf(subject, options)],
    ...(options.onRequest !== undefined && { onRequest: options.onRequest }),
  });
  try {
    const url = options.url ?? server.url + (wire.basePath ?? "");
    const { spied, ...seen } = await request(subject, url, options);
    expectThat(spied !== undefined, "one instance of the provider for each request", "none");
    if (options.closesSocket === true) await expectClosed(server.requests.at(-1));
    return { ...seen, spied, requests: server.requests };
  } finally {
    await server.close();
  }
}

/** The class, when a host would take it. */
export function acceptedClass(Provider: unknown): ProviderClass {
  try {
    return accept(Provider);
  } catch (error) {
    expectThat(false, "a class that `defineProvider` takes", error);
  }
}

export function authOf(subject: ProviderSubject): AuthRecord {
  return subject.auth ?? { type: "api_key", token: SECRET };
}

export function callsOf({ message }: TerminalEvent): readonly ToolCallBlock[] {
  return (message?.content ?? []).filter((block): block is ToolCallBlock => block.type === "toolCall");
}

/** The text of the final message's blocks of one kind, joined. */
export function textOf({ message }: TerminalEvent, kind: "text" | "thinking" = "text"): string {
  return (message?.content ?? [])
    .map((block) => (block.type === kind && "text" in block ? String(block.text) : ""))
    .join("");
}

function replyOf(subject: ProviderSubject, { frames, reply }: ObserveOptions): Reply {
  return {
    writes: frameBytes(subject.wire, frames ?? []),
    ending: "end",
    ...reply,
    headers: { "content-type": contentTypeOf(subject.wire), ...reply?.headers },
  };
}

async function expectClosed(request: ReplayedRequest | undefined): Promise<void> {
  expectThat(request !== undefined, "a request", "none");
  const seen = await within(request.abandoned, SOCKET_CLOSES_MS);
  expectThat(
    seen === true,
    "the socket closed",
    `an open socket ${SOCKET_CLOSES_MS} ms after the end of the request`,
  );
}

function modelsRoute({ wire: { recordings } }: ProviderSubject): Readonly<Record<string, unknown>> {
  return recordings.models === undefined ? {} : { [recordings.models.route]: recordings.models.answer };
}

async function request(
  subject: ProviderSubject,
  url: string,
  options: ObserveOptions,
): Promise<{
  readonly events: ResponseEvent[];
  readonly terminal: TerminalEvent;
  readonly spied: Spied | undefined;
}> {
  let spied: Spied | undefined;
  const Provider = spyOn(acceptedClass(subject.Provider), (begun) => {
    spied = begun;
  });
  const { model = "conformance-model", settings = {}, info = {} } = subject;
  const io = new IO(
    connect(Provider, { url, model, endpoint: "conformance", auth: authOf(subject), settings, info }),
  );
  const events: ResponseEvent[] = [];
  const sink = (event: ResponseEvent): void => {
    events.push(event);
    options.onEvent?.(event);
  };
  const { context = HELLO, tools, signal, timeouts } = options;
  const writing = io.write(context, sink, {
    timeouts: { overallMs: OVERALL_MS, ...timeouts },
    ...(tools !== undefined && { tools }),
    ...(signal !== undefined && { signal }),
  });
  const terminal = await within(writing, OVERALL_MS + GRACE_MS);
  expectThat(terminal !== undefined, "the request to end", `nothing for ${OVERALL_MS + GRACE_MS} ms`);
  await io.close();
  return { events, terminal, spied };
}
