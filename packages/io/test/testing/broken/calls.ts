import type { Message, ResponseEvent } from "@ashlar/context";
import type { WireContext, WireMessage } from "@ashlar/context/provider";
import { fieldsOf, Relay, type RelayState } from "../relay/relay.js";
import { relaySubject } from "../relay/subject.js";
import type { BrokenProvider } from "./broken-provider.js";

type Fields = Readonly<Record<string, unknown>>;

export const brokenCalls: readonly BrokenProvider[] = [
  {
    mistake: "sends the arguments only with the last fragment",
    fails: "tool-call",
    says: /calls \[\{"name":"read","arguments":\{"path":"a\.txt"\}\}\]; came/,
    subject: relaySubject(
      class extends Relay {
        protected override _call(call: Fields, state: RelayState, events: ResponseEvent[]): void {
          super._call(call.name === undefined ? call : { ...call, input: "" }, state, events);
        }
      },
    ),
  },
  {
    mistake: "tells calls apart by their index",
    fails: "parallel-calls",
    says: /interleaved \[.*a\.txt.*b\.txt.*\]; came/,
    subject: relaySubject(
      class extends Relay {
        protected override _call({ at, ...call }: Fields, state: RelayState, events: ResponseEvent[]): void {
          super._call(at === undefined ? call : { ...call, id: `at-${String(at)}` }, state, events);
        }
      },
    ),
  },
  {
    mistake: "repairs arguments that were cut",
    fails: "cut-arguments",
    says: /the cut arguments as raw text/,
    subject: relaySubject(
      class extends Relay {
        protected override _call(call: Fields, state: RelayState, events: ResponseEvent[]): void {
          super._call({ ...call, input: `${String(call.input)}"}` }, state, events);
        }
      },
    ),
  },
  {
    mistake: "hands the calls of the provider out to be run",
    fails: "executed-calls",
    says: /calls that are marked executed/,
    subject: relaySubject(
      class extends Relay {
        protected override _running(
          { input, ...call }: Fields,
          state: RelayState,
          events: ResponseEvent[],
        ): void {
          super._call({ ...call, input: JSON.stringify(input) }, state, events);
        }
        protected override _ran(): void {
          // The result is lost.
        }
      },
    ),
  },
  {
    mistake: "tells of a call only when its result is there",
    fails: "executed-calls-keep-waiting",
    says: /a call that is open while its result is awaited/,
    subject: relaySubject(
      class extends Relay {
        #held: Fields = {};
        protected override _running(call: Fields): void {
          this.#held = call;
        }
        protected override _ran(ran: Fields, state: RelayState, events: ResponseEvent[]): void {
          super._running(this.#held, state, events);
          super._ran(ran, state, events);
        }
      },
    ),
  },
  {
    mistake: "leaves the call's id out of the result",
    fails: "tool-results",
    says: /an id that each result shares with its own call/,
    subject: relaySubject(
      class extends Relay {
        protected override _turn(message: Message): Fields {
          const { call: _id, ...turn } = super._turn(message);
          return turn;
        }
      },
    ),
  },
  {
    mistake: "pairs every result with the last call",
    fails: "tool-results",
    says: /an id that each result shares with its own call/,
    subject: relaySubject(
      class extends Relay {
        #last: unknown;
        protected override _turn(message: Message): Fields {
          const turn = super._turn(message);
          if (Array.isArray(turn.calls)) this.#last = fieldsOf(turn.calls.at(-1)).id;
          return "call" in turn ? { ...turn, call: this.#last } : turn;
        }
      },
    ),
  },
  {
    mistake: "sends the results in the wrong order",
    fails: "tool-results",
    says: /results in the order of their calls/,
    subject: relaySubject(
      class extends Relay {
        override context2msg(context: readonly Message[], io: WireContext): WireMessage {
          const results = context.filter(({ type }) => type === 4).toReversed();
          return super.context2msg([...context.filter(({ type }) => type !== 4), ...results], io);
        }
      },
    ),
  },
  {
    mistake: "offers tools by name only",
    fails: "tools-offered",
    says: /"Reads one file of the conformance kit\." in the request/,
    subject: relaySubject(
      class extends Relay {
        override context2msg(context: readonly Message[], io: WireContext): WireMessage {
          const [headers, body] = super.context2msg(context, io);
          return [headers, { ...fieldsOf(body), tools: io.tools.map(({ name }) => name) }];
        }
      },
    ),
  },
];
