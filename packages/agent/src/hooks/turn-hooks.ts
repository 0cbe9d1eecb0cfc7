import {
  frozenCopy,
  type Message,
  requestView,
  type ToolResultMessage,
  validateMessages,
} from "@ashlar/context";
import { isObject } from "../loop/json-object.js";
import { askHook, type HookAnswer } from "./ask-hook.js";
import { readReply, readThinking } from "./hook-reply.js";
import type {
  BeforeRequest,
  BeforeRequestReply,
  FinishedTurn,
  HookAgent,
  NextTurnReply,
} from "./interceptor.js";
import type { InterceptorChain } from "./interceptor-chain.js";

export interface TurnHooksOptions {
  readonly chain: InterceptorChain;
  readonly agent: HookAgent;
  /** Milliseconds for each hook. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly notice: (message: string) => void;
}

export type RequestFacts = Omit<BeforeRequest, "agent" | "signal">;
export type TurnFacts = Pick<FinishedTurn, "message" | "requests">;

/** The hooks of one run that are asked between its calls. */
export class TurnHooks {
  readonly #options: TurnHooksOptions;
  #turn: TurnFacts | undefined;
  #results: ToolResultMessage[] = [];

  constructor(options: TurnHooksOptions) {
    this.#options = options;
  }

  /** Somebody wants to be asked after each turn. */
  get decides(): boolean {
    return this.#options.chain.stopAfterTurn.length > 0;
  }

  get shapesRequests(): boolean {
    return this.#options.chain.beforeRequest.length > 0;
  }

  /** A response was stored. */
  beginTurn(facts: TurnFacts): void {
    this.#turn = facts;
    this.#results = [];
  }

  /** A result of the turn at hand. */
  addResult(message: ToolResultMessage): void {
    this.#results.push(message);
  }

  /** The first who wants the run to end. A hook that fails is reported, and its answer is no. */
  async stoppedBy(): Promise<string | undefined> {
    const turn = this.#finished();
    if (turn === undefined) return undefined;
    for (const hook of this.#options.chain.stopAfterTurn) {
      const answer = await this.#ask(
        askHook({
          hook,
          kind: "stopAfterTurn",
          payload: ({ signal }) => ({ ...turn, signal }),
          read: readStop,
          ...this.#limits,
        }),
      );
      if (answer === true) return hook.name;
    }
    return undefined;
  }

  /** What the hooks want other than before, a later one over an earlier one. A hook that fails is reported. */
  async nextTurn(): Promise<NextTurnReply> {
    const turn = this.#finished();
    let wanted: NextTurnReply = {};
    if (turn === undefined) return wanted;
    for (const hook of this.#options.chain.prepareNextTurn) {
      const answer = await this.#ask(
        askHook({
          hook,
          kind: "prepareNextTurn",
          payload: ({ signal }) => ({ ...turn, signal }),
          read: readNextTurn,
          ...this.#limits,
        }),
      );
      wanted = { ...wanted, ...answer };
    }
    return wanted;
  }

  /** What the request shows after all hooks; the first that fails ends it. */
  async shapeRequest(facts: RequestFacts): Promise<HookAnswer<RequestFacts>> {
    const { chain, agent } = this.#options;
    let current = facts;
    for (const hook of chain.beforeRequest) {
      const shown = current;
      const answer = await askHook({
        hook,
        kind: "beforeRequest",
        payload: ({ signal }) => ({ agent, signal, ...shown }),
        read: readRequest,
        ...this.#limits,
      });
      if (answer.type !== "reply") return answer;
      current = applied(current, answer.reply);
    }
    return { type: "reply", reply: current };
  }

  #finished(): Omit<FinishedTurn, "signal"> | undefined {
    const { agent } = this.#options;
    return this.#turn && { agent, ...this.#turn, results: Object.freeze([...this.#results]) };
  }

  get #limits(): Pick<TurnHooksOptions, "timeoutMs" | "signal"> {
    const { timeoutMs, signal } = this.#options;
    return { timeoutMs, signal };
  }

  async #ask<T>(asking: Promise<HookAnswer<T>>): Promise<T | undefined> {
    const answer = await asking;
    if (answer.type === "failed") this.#options.notice(`Going on without it: ${answer.problem}.`);
    return answer.type === "reply" ? answer.reply : undefined;
  }
}

function readStop(reply: unknown): boolean {
  if (reply === undefined || reply === null) return false;
  if (typeof reply === "boolean") return reply;
  throw new TypeError("its reply must be true, false or undefined");
}

function readNextTurn(value: unknown): NextTurnReply {
  const { model, thinking } = readReply(value, ["model", "thinking"]);
  if (model !== undefined && typeof model !== "string")
    throw new TypeError('model must be a text, "endpoint/model"');
  return { ...(model !== undefined && { model }), ...readThinking(thinking) };
}

function readRequest(value: unknown): BeforeRequestReply {
  const { messages, thinking, settings } = readReply(value, ["messages", "thinking", "settings"]);
  if (settings !== undefined && !isObject(settings)) throw new TypeError("settings must be an object");
  return {
    ...(messages !== undefined && { messages: readMessages(messages) }),
    ...(settings !== undefined && { settings: frozenCopy(settings, "settings") }),
    ...readThinking(thinking),
  };
}

/** Checked one by one, then paired again: each call with exactly one result. */
function readMessages(value: unknown): readonly Message[] {
  const view = requestView(validateMessages(frozenCopy(value, "messages"), "messages"));
  if (view.length === 0) throw new TypeError("messages must hold something to send");
  return Object.freeze(view);
}

function applied(before: RequestFacts, { settings, ...rest }: BeforeRequestReply): RequestFacts {
  const laid = settings === undefined ? before.settings : Object.freeze({ ...before.settings, ...settings });
  return { ...before, ...rest, settings: laid };
}
