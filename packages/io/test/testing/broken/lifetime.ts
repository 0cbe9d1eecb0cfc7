import type { ResponseEvent } from "@ashlar/context";
import type { WireContext, WireMessage } from "@ashlar/context/provider";
import { linesOf } from "../relay/own-reader.js";
import { Relay, type RelayState } from "../relay/relay.js";
import { relaySubject } from "../relay/subject.js";
import type { BrokenProvider } from "./broken-provider.js";

/** Goes round the host's transport, and so round its abort signal. */
class OwnFetch extends Relay {
  #lines: AsyncIterator<string> | undefined;

  override async send([headers, body]: WireMessage): Promise<undefined> {
    const request = { method: "POST", headers, body: JSON.stringify(body) };
    const response = await fetch(`${this._url}/chat`, request);
    if (response.body !== null) this.#lines = linesOf(response.body)[Symbol.asyncIterator]();
  }

  async read(): Promise<unknown> {
    const next = await this.#lines?.next();
    return next === undefined || next.done === true ? null : JSON.parse(next.value);
  }
}

const shared: RelayState = {};

export const brokenLifetimes: readonly BrokenProvider[] = [
  ...["abort-before-answer", "abort-mid-stream", "stalled-stream"].map((fails) => ({
    mistake: "fetches with a signal of nobody",
    fails,
    says: /the socket closed; came "an open socket/,
    subject: relaySubject(OwnFetch),
  })),
  {
    mistake: "ends an answer with each end frame",
    fails: "one-terminal",
    says: /after the terminal event \[\]; came .*"type":"done"/,
    subject: relaySubject(
      class extends Relay {
        override msg2events(frame: unknown, state: RelayState, io: WireContext): readonly ResponseEvent[] {
          state.ended = false;
          return super.msg2events(frame, state, io);
        }
      },
    ),
  },
  {
    mistake: "keeps the state in the module",
    fails: "state-per-request",
    says: /the same events beside another request/,
    subject: relaySubject(
      class extends Relay {
        constructor(url: string, io: WireContext) {
          super(url, io);
          for (const key of ["next", "open", "calls", "ended"] as const) delete shared[key];
        }
        override msg2events(frame: unknown, _state: RelayState, io: WireContext): readonly ResponseEvent[] {
          return super.msg2events(frame, shared, io);
        }
      },
    ),
  },
];
