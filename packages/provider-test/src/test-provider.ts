import { type Message, MessageType, type ResponseEvent } from "@ashlar/context";
import {
  type CatalogueQuery,
  type DetectedEndpoint,
  defineProvider,
  type KnownEndpoint,
  type ModelMetadata,
  PROVIDER_CONTRACT,
  type ProviderClass,
  type ProviderMetadata,
  type WireContext,
  type WireMessage,
} from "@ashlar/context/provider";
import { echo } from "./echo.js";
import { play } from "./playback.js";
import { read } from "./read.js";
import { parseScript } from "./script.js";
import { type SpokenTurn, speak } from "./spoken-turn.js";
import { TestError } from "./test-error.js";

const TEST_URL = "test://script";
const BUILT_IN_SCRIPTS: readonly string[] = ["echo", "read"];
const CONTEXT_WINDOW = 200_000;
const TURNS_PLAYED = "test.turnsPlayed";

/** Carries one event from `read` to `msg2events`. */
class Frame {
  readonly event: ResponseEvent;

  constructor(event: ResponseEvent) {
    this.event = event;
  }
}

class ScriptedModel {
  static readonly contract: number = PROVIDER_CONTRACT;
  static readonly provider: ProviderMetadata = {
    label: "Scripted test model",
    capabilities: { streaming: true, thinking: [], tools: true },
    secret: true,
  };
  static readonly knownEndpoints: readonly KnownEndpoint[] = [
    {
      name: "test",
      label: "Scripted test model",
      url: TEST_URL,
      note: "Answers from a script, without a network.",
    },
  ];

  readonly #io: WireContext;
  readonly #closed = new AbortController();
  #turn: SpokenTurn = [];
  #inputTokens = 0;
  #events: AsyncGenerator<ResponseEvent> | undefined;

  constructor(_url: string, io: WireContext) {
    this.#io = io;
  }

  static detectEnvironment(): Readonly<Record<string, DetectedEndpoint>> {
    return { test: { url: TEST_URL } };
  }

  static async models({ settings }: CatalogueQuery): Promise<Readonly<Record<string, ModelMetadata>>> {
    const authored =
      typeof settings.models === "object" && settings.models !== null ? Object.keys(settings.models) : [];
    const names = [...BUILT_IN_SCRIPTS, ...(settings.script === undefined ? [] : ["script"]), ...authored];
    const metadata: ModelMetadata = {
      contextWindow: CONTEXT_WINDOW,
      input: ["text"],
      tools: true,
      secret: true,
    };
    return Object.fromEntries(names.map((name) => [name, metadata]));
  }

  static async testConnection(): Promise<Readonly<Record<string, unknown>>> {
    return { models: BUILT_IN_SCRIPTS.length };
  }

  context2msg(context: readonly Message[], io: WireContext): WireMessage {
    this.#inputTokens = io.estimateTokens(context);
    this.#turn = nextTurn(context, io);
    return [{}, { model: io.model, turn: this.#turn }];
  }

  async send(): Promise<undefined> {
    const { session, estimateTokens } = this.#io;
    const signal = AbortSignal.any([this.#io.signal, this.#closed.signal]);
    session.set(TURNS_PLAYED, turnsPlayed(session) + 1);
    const outputTokens = (text: string) =>
      estimateTokens([{ type: MessageType.assistant, content: [{ type: "text", text }] }]);
    this.#events = play(this.#turn, { signal, inputTokens: this.#inputTokens, outputTokens });
  }

  async read(): Promise<unknown> {
    const next = await this.#events?.next();
    return next === undefined || next.done === true ? null : new Frame(next.value);
  }

  msg2events(frame: unknown): readonly ResponseEvent[] {
    return frame instanceof Frame ? [frame.event] : [];
  }

  close(): void {
    this.#closed.abort();
  }
}

function nextTurn(context: readonly Message[], io: WireContext): SpokenTurn {
  const { script } = io.settings;
  if (io.model === "echo") return echo(context);
  if (io.model === "read")
    return read(
      context,
      io.tools.map(({ name }) => name),
    );
  if (script === undefined) {
    throw new TestError(
      "malformed",
      `settings.script: the scripted model "${io.model}" has no script; set one on this model, or use ${BUILT_IN_SCRIPTS.join(" or ")}`,
      { at: "settings.script" },
    );
  }
  const turns = parseScript(script, "settings.script");
  return speak(turns[Math.min(turnsPlayed(io.session), turns.length - 1)] ?? [], context);
}

/** A session counts its requests, so that a failed turn is followed by the next one. */
function turnsPlayed(session: Map<string, unknown>): number {
  const count = session.get(TURNS_PLAYED);
  return typeof count === "number" ? count : 0;
}

/** The scripted embedded model: no network, no chance. Its model names are scripts. */
export const Test: ProviderClass = defineProvider(ScriptedModel);
