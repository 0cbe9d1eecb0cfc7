import type { ResponseEvent } from "@ashlar/context";
import type {
  ClassifiedError,
  SendBase,
  WireContext,
  WireMessage,
  WireResponse,
} from "@ashlar/context/provider";
import { linesOf, OwnReader } from "../relay/own-reader.js";
import { fieldsOf, Relay, type RelayState } from "../relay/relay.js";
import { relaySubject } from "../relay/subject.js";
import type { BrokenProvider } from "./broken-provider.js";

export const brokenErrors: readonly BrokenProvider[] = [
  {
    mistake: "replaces the server's words by its own",
    fails: "error-before-stream",
    says: /an error that says "no model of that name"; came "Request failed"/,
    subject: relaySubject(
      class extends Relay {
        override async send(message: WireMessage, base: SendBase): Promise<WireResponse | undefined> {
          try {
            return await super.send(message, base);
          } catch (error) {
            throw Object.assign(new Error("Request failed"), { status: fieldsOf(error).status ?? 404 });
          }
        }
      },
    ),
  },
  {
    mistake: "sends a request that failed again by itself",
    fails: "status-codes",
    says: /one request for status 401; came "2 requests"/,
    subject: relaySubject(
      class extends Relay {
        override send(message: WireMessage, base: SendBase): Promise<WireResponse | undefined> {
          return super.send(message, base).catch(() => super.send(message, base));
        }
      },
    ),
  },
  {
    mistake: "takes every refusal for a problem of the server",
    fails: "status-codes",
    says: /for status 401, kind "auth"; came "provider"/,
    subject: relaySubject(
      class extends Relay {
        classifyError(error: unknown, base: (error: unknown) => ClassifiedError): ClassifiedError {
          const verdict = base(error);
          return verdict.kind === "auth" ? { ...verdict, kind: "provider" } : verdict;
        }
      },
    ),
  },
  {
    mistake: "passes over error frames",
    fails: "error-after-200",
    says: /an error that says "out of memory"; came .*ended before/,
    subject: relaySubject(
      class extends Relay {
        protected override _end(event: ResponseEvent, state: RelayState, events: ResponseEvent[]): void {
          if (event.type !== "error") super._end(event, state, events);
        }
      },
    ),
  },
  {
    mistake: "takes the end of the body for the end of the answer",
    fails: "torn-stream",
    says: /an error, because the answer never ended; came .*"type":"done"/,
    subject: relaySubject(
      class extends Relay {
        override msg2events(frame: unknown, state: RelayState, io: WireContext): readonly ResponseEvent[] {
          return super.msg2events(frame ?? { end: "stop" }, state, io);
        }
      },
    ),
  },
  {
    mistake: "takes a broken connection for the end of the answer",
    fails: "reset-stream",
    says: /an error, because the answer never ended; came .*"type":"done"/,
    subject: relaySubject(
      class extends OwnReader {
        protected override async *_frames(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
          try {
            for await (const line of linesOf(body)) yield JSON.parse(line);
          } catch {
            // That is the mistake.
            yield { end: "stop" };
          }
        }
      },
    ),
  },
  {
    mistake: "calls a server that is not there broken",
    fails: "unreachable",
    says: /an error of kind network; came .*"kind":"provider"/,
    subject: relaySubject(
      class extends Relay {
        classifyError(error: unknown, base: (error: unknown) => ClassifiedError): ClassifiedError {
          const verdict = base(error);
          return verdict.kind === "network" ? { ...verdict, kind: "provider" } : verdict;
        }
      },
    ),
  },
  {
    mistake: "keeps the request's headers for the next round",
    fails: "secrets",
    says: /events without the credentials/,
    subject: relaySubject(
      class extends Relay {
        protected override _prose(
          kind: "text" | "thinking",
          text: string,
          state: RelayState,
          events: ResponseEvent[],
        ): void {
          if (state.next === undefined) {
            const contentIndex = this._index(state);
            events.push({ type: "thinking_start", contentIndex, extra: { replay: this._io.auth } });
            events.push({ type: "thinking_end", contentIndex });
          }
          super._prose(kind, text, state, events);
        }
      },
    ),
  },
];
