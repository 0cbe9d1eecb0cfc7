import type { WireContext } from "@ashlar/context/provider";
import { type Address, readAddress } from "../address/address.js";
import { defaultWindow, loadedWindow, shortfallWarning } from "./context-window.js";
import { factsOfShow, type ModelFacts } from "./model-facts.js";
import type { Server } from "./server.js";
import { SharedAnswers } from "./shared-answers.js";
import { countsWholePrompt, versionOf } from "./version.js";

const SESSION_KEY = "ollama.session";
const shared = new SharedAnswers(() => Date.now());

/** What is settled once and kept for the life of an IO object: changing the window would make the server load the model again. */
export class Session {
  /** Tokens sent as `num_ctx`. */
  numCtx = 0;
  /** Tokens the server really gives, as far as is known. */
  window = 0;
  facts: ModelFacts = UNKNOWN_FACTS;
  countsWholePrompt = true;
  #address: { readonly of: string; readonly read: Address } | undefined;
  #sent = false;
  #confirmed = false;
  readonly #warned = new Set<string>();

  /** The session of an IO object. */
  static of({ session }: WireContext): Session {
    const known = session.get(SESSION_KEY);
    if (known instanceof Session) return known;
    const fresh = new Session();
    session.set(SESSION_KEY, fresh);
    return fresh;
  }

  /** The address that the url of each request stands for. Throws kind `malformed`. */
  addressOf(url: string): Address {
    if (this.#address?.of !== url) this.#address = { of: url, read: readAddress(url) };
    return this.#address.read;
  }

  /** Warns of what stays the same for the whole session. */
  warnOnce(io: WireContext, text: string): void {
    if (this.#warned.has(text)) return;
    this.#warned.add(text);
    io.warn(text);
  }

  /** Until a request has gone through: what the model can do, and the window. Rejects only when the request is cancelled. */
  async settle(server: Server, io: WireContext, configured: number | undefined): Promise<void> {
    if (this.#sent) return;
    const ask = asking(server, io);
    const [facts, running] = await Promise.all([
      knownFacts(io) ??
        ask("show", () => server.post("/api/show", { model: io.model })).then(factsOfShowOrNone),
      configured === undefined ? ask("ps before", () => server.get("/api/ps")) : undefined,
    ]);
    this.facts = facts;
    this.numCtx = configured ?? loadedWindow(running, io.model) ?? defaultWindow(facts.contextLength);
    this.window = this.numCtx;
  }

  /** Once the model is loaded: does it have the window it was asked for. */
  async confirm(server: Server, io: WireContext): Promise<void> {
    this.#sent = true;
    if (this.#confirmed) return;
    const ask = asking(server, io);
    const [running, version] = await Promise.all([
      ask(`ps with ${this.numCtx}`, () => server.get("/api/ps")),
      ask("version", () => server.get("/api/version")),
    ]);
    this.countsWholePrompt = countsWholePrompt(versionOf(version));
    this.#confirmed = running !== undefined;
    const allocated = loadedWindow(running, io.model);
    if (allocated === undefined || allocated >= this.numCtx) return;
    this.window = allocated;
    io.warn(shortfallWarning(io.model, this.numCtx, allocated));
  }
}

const UNKNOWN_FACTS: ModelFacts = { contextLength: undefined, capabilities: undefined, thinking: undefined };

/** What the catalogue already told. */
function knownFacts({ info }: WireContext): ModelFacts | undefined {
  const { maxContextWindow, thinking, tools, input } = info;
  if (maxContextWindow === undefined || thinking === undefined || input === undefined) return undefined;
  const capabilities = [
    "completion",
    ...(tools === true ? ["tools"] : []),
    ...(input.includes("image") ? ["vision"] : []),
  ];
  return { contextLength: maxContextWindow, thinking, capabilities };
}

function factsOfShowOrNone(answer: unknown): ModelFacts {
  return answer === undefined ? UNKNOWN_FACTS : factsOfShow(answer);
}

type Ask = (what: string, call: () => Promise<unknown>) => Promise<unknown>;

/** Asks for an answer that may be missing: what the server cannot tell here, the request itself will run into and report. */
function asking(server: Server, io: WireContext): Ask {
  return async (what, call) => {
    try {
      return await shared.get(JSON.stringify([server.url, server.headers, io.model, what]), call);
    } catch {
      // A cancel ends the request; any other failure leaves the fact unknown.
      io.signal.throwIfAborted();
      return undefined;
    }
  };
}
