import type { ResponseEvent } from "@ashlar/context";
import { linesOf, OwnReader } from "../relay/own-reader.js";
import { Relay, type RelayState } from "../relay/relay.js";
import { relaySubject } from "../relay/subject.js";
import type { BrokenProvider } from "./broken-provider.js";

export const brokenAnswers: readonly BrokenProvider[] = [
  {
    mistake: "trims each piece of text",
    fails: "text",
    says: /the message's text "Hello there\."; came "Hellothere\."/,
    subject: relaySubject(
      class extends Relay {
        protected override _prose(
          kind: "text" | "thinking",
          text: string,
          state: RelayState,
          events: ResponseEvent[],
        ): void {
          super._prose(kind, text.trim(), state, events);
        }
      },
    ),
  },
  {
    mistake: "parses what each read gives",
    fails: "one-byte-a-write",
    says: /the terminal event done/,
    subject: relaySubject(
      class extends OwnReader {
        protected override async *_frames(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
          for await (const bytes of body) {
            for (const line of new TextDecoder().decode(bytes).split("\n"))
              if (isJson(line)) yield JSON.parse(line);
          }
        }
      },
    ),
  },
  {
    mistake: "decodes each chunk by itself",
    fails: "cut-inside-characters",
    says: /the message's text .*\uFFFD/,
    subject: relaySubject(
      class extends OwnReader {
        protected override async *_frames(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
          let rest = "";
          for await (const bytes of body) {
            const lines = (rest + new TextDecoder().decode(bytes)).split("\n");
            rest = lines.pop() ?? "";
            for (const line of lines) yield JSON.parse(line);
          }
        }
      },
    ),
  },
  {
    mistake: "takes one line of each chunk",
    fails: "one-write",
    says: /the terminal event done/,
    subject: relaySubject(
      class extends OwnReader {
        protected override async *_frames(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
          for await (const bytes of body)
            yield JSON.parse(new TextDecoder().decode(bytes).split("\n")[0] ?? "");
        }
      },
    ),
  },
  {
    mistake: "parses blank lines",
    fails: "line-ends",
    says: /the terminal event done; came .*malformed/,
    subject: relaySubject(
      class extends OwnReader {
        protected override async *_frames(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
          let rest = "";
          for await (const bytes of body) {
            const lines = (rest + new TextDecoder().decode(bytes, { stream: true })).split("\n");
            rest = lines.pop() ?? "";
            for (const line of lines) yield JSON.parse(line);
          }
        }
      },
    ),
  },
  {
    mistake: "waits for the last line end",
    fails: "unended-last-line",
    says: /the terminal event done; came .*ended before/,
    subject: relaySubject(
      class extends OwnReader {
        protected override async *_frames(body: AsyncIterable<Uint8Array>): AsyncGenerator<unknown> {
          let before: string | undefined;
          for await (const line of linesOf(body)) {
            if (before !== undefined) yield JSON.parse(before);
            before = line;
          }
        }
      },
    ),
  },
  {
    mistake: "shows thinking as text",
    fails: "thinking",
    says: /the message's text "yes"; came "hmyes"/,
    subject: relaySubject(
      class extends Relay {
        protected override _prose(
          _kind: "text" | "thinking",
          text: string,
          state: RelayState,
          events: ResponseEvent[],
        ): void {
          super._prose("text", text, state, events);
        }
      },
    ),
  },
  {
    mistake: "drops the counts",
    fails: "usage",
    says: /usage .*"inputTokens":7.*came .*"source":"estimate"/,
    subject: relaySubject(
      class extends Relay {
        protected override _end(event: ResponseEvent, state: RelayState, events: ResponseEvent[]): void {
          super._end(event.type === "done" ? { type: "done" } : event, state, events);
        }
      },
    ),
  },
  {
    mistake: "fills an empty answer with words of its own",
    fails: "empty-answer",
    says: /an error of kind provider; came .*no answer/,
    subject: relaySubject(
      class extends Relay {
        protected override _end(event: ResponseEvent, state: RelayState, events: ResponseEvent[]): void {
          if (state.next === undefined) {
            this._prose("text", "(no answer)", state, events);
            this._close(state, events);
          }
          super._end(event, state, events);
        }
      },
    ),
  },
];

function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    // That is the mistake: a line that is not whole is thrown away.
    return false;
  }
}
