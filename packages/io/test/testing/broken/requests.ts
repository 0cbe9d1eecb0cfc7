import { type Message, MessageType } from "@ashlar/context";
import type { SendBase, WireContext, WireMessage, WireResponse } from "@ashlar/context/provider";
import { fieldsOf, Relay } from "../relay/relay.js";
import { relaySubject } from "../relay/subject.js";
import type { BrokenProvider } from "./broken-provider.js";

export const brokenRequests: readonly BrokenProvider[] = [
  {
    mistake: "sends the first system text only",
    fails: "whole-context",
    says: /"later system text four" in the request/,
    subject: relaySubject(
      class extends Relay {
        override context2msg(context: readonly Message[], io: WireContext): WireMessage {
          return super.context2msg(
            context.filter(({ type }, i) => i === 0 || type !== MessageType.system),
            io,
          );
        }
      },
    ),
  },
  {
    mistake: "writes the time into the request",
    fails: "pure-translation",
    says: /the same bytes for the same context/,
    subject: relaySubject(
      class extends Relay {
        override context2msg(context: readonly Message[], io: WireContext): WireMessage {
          const [headers, body] = super.context2msg(context, io);
          return [headers, { ...fieldsOf(body), at: performance.now() }];
        }
      },
    ),
  },
  {
    mistake: "works on the caller's messages",
    fails: "pure-translation",
    says: /a translation that leaves the context as it is; came TypeError/,
    subject: relaySubject(
      class extends Relay {
        override context2msg(context: readonly Message[], io: WireContext): WireMessage {
          for (const message of context) Object.assign(message, { sent: true });
          return super.context2msg(context, io);
        }
      },
    ),
  },
  {
    mistake: "gathers the system texts at the start",
    fails: "stable-prefix",
    says: /turns to begin with .*as one request earlier/,
    subject: relaySubject(
      class extends Relay {
        override context2msg(context: readonly Message[], io: WireContext): WireMessage {
          const isSystem = ({ type }: Message) => type === MessageType.system;
          return super.context2msg(
            [...context.filter(isSystem), ...context.filter((each) => !isSystem(each))],
            io,
          );
        }
      },
    ),
  },
  {
    mistake: "drops what it cannot send",
    fails: "attachments",
    says: /the image in the request, or an error of kind malformed/,
    subject: relaySubject(
      class extends Relay {
        protected override _text({ content }: Message): string {
          return content.map((block) => (block.type === "text" ? block.text : "")).join("\n\n");
        }
      },
    ),
  },
  {
    mistake: "writes the JSON of the body itself",
    fails: "well-formed-unicode",
    says: /strings with half a character \[\]; came \["body\.tools\.0\.description"/,
    subject: relaySubject(
      class extends Relay {
        override context2msg(context: readonly Message[], io: WireContext): WireMessage {
          const [headers, body] = super.context2msg(context, io);
          return [{ ...headers, "content-type": "application/json" }, JSON.stringify(body)];
        }
      },
    ),
  },
  {
    mistake: "puts the key into the address",
    fails: "credentials",
    says: /an address without the credentials/,
    subject: relaySubject(
      class extends Relay {
        override send([headers, body]: WireMessage, base: SendBase): Promise<WireResponse> {
          return base({ url: `${this._url}/chat?key=${this._io.auth?.token ?? ""}`, headers, body });
        }
      },
    ),
  },
];
