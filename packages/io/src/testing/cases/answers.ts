import type { ResponseEvent } from "@ashlar/context";
import type { ConformanceCase } from "../conformance-case.js";
import { expectSame, expectThat } from "../expectation.js";
import { cutInsideCharacters, eachByte, frameBytes, joinBytes } from "../frame-bytes.js";
import { type Observation, observe, textOf } from "../observation.js";
import type { ProviderSubject, Recording, TextRecording } from "../subject.js";

const encoder = new TextEncoder();

export const answerCases: readonly ConformanceCase[] = [
  {
    name: "text",
    why: "Viewers show the deltas and the context keeps the message: they must be the same text.",
    run: async (subject) => {
      const { text } = subject.wire.recordings;
      const seen = await observe(subject, { frames: text.frames });
      expectText(seen, text);
      const deltas = seen.events.filter(({ type }) => type === "text_delta").length;
      expectThat(deltas > 1, "a delta for each piece of text, as it comes", `${deltas} deltas`);
    },
  },
  {
    name: "one-byte-a-write",
    why: "Networks cut anywhere; a reader that parses what one read gave loses lines and characters.",
    run: async (subject) => {
      const { unicode } = subject.wire.recordings;
      expectText(
        await observe(subject, { reply: { writes: eachByte(wholeBody(subject, unicode)) } }),
        unicode,
      );
    },
  },
  {
    name: "cut-inside-characters",
    why: "A decoder for each chunk turns characters that were cut into U+FFFD.",
    run: async (subject) => {
      const { unicode } = subject.wire.recordings;
      const writes = cutInsideCharacters(wholeBody(subject, unicode));
      expectThat(writes.length > 3, "a recording with characters of two, three and four bytes", unicode.text);
      expectText(await observe(subject, { reply: { writes, spacingMs: 5 } }), unicode);
    },
  },
  {
    name: "one-write",
    why: "A fast server sends everything at once; a reader that takes one frame a read loses the rest.",
    run: async (subject) => {
      const { unicode } = subject.wire.recordings;
      expectText(await observe(subject, { reply: { writes: [wholeBody(subject, unicode)] } }), unicode);
    },
  },
  {
    name: "line-ends",
    needs: ["lines"],
    why: "Proxies change line ends and send blank lines and comments to keep connections alive.",
    run: async (subject) => {
      const { text } = subject.wire.recordings;
      const noise = subject.wire.framing === "sse" ? ": waiting\r\n\r\n" : "\r\n  \r\n";
      const lines = new TextDecoder().decode(wholeBody(subject, text)).replaceAll("\n", "\r\n");
      const writes = [encoder.encode(noise), encoder.encode(lines)];
      expectText(await observe(subject, { reply: { writes } }), text);
    },
  },
  {
    name: "unended-last-line",
    needs: ["lines"],
    why: "Servers that die politely leave out the last line end; the last frame counts all the same.",
    run: async (subject) => {
      const { text } = subject.wire.recordings;
      const lines = new TextDecoder().decode(wholeBody(subject, text)).trimEnd();
      expectText(await observe(subject, { reply: { writes: [encoder.encode(lines)] } }), text);
    },
  },
  {
    name: "thinking",
    needs: ["thinking"],
    why: "Thinking that is taken for text is shown as the answer; thinking that is lost breaks the next tool round.",
    run: async (subject) => {
      const { thinking } = subject.wire.recordings;
      expectThat(
        thinking !== undefined,
        "the recording `thinking`, because the provider declares thinking modes",
        "none",
      );
      const seen = await observe(subject, { frames: thinking.frames });
      expectText(seen, thinking);
      expectSame("thinking", thinking.thinking, textOf(seen.terminal, "thinking"));
    },
  },
  {
    name: "usage",
    why: "Budgets and the room left in the window are counted from what the server measured.",
    run: async (subject) => {
      const { frames, inputTokens, outputTokens, cachedInputTokens } = subject.wire.recordings.usage;
      const { terminal } = await observe(subject, { frames });
      const expected = { inputTokens, outputTokens, cachedInputTokens, source: "provider" };
      const { usage } = terminal;
      const came = usage && {
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        cachedInputTokens: usage.cachedInputTokens,
        source: usage.source,
      };
      expectSame("usage", expected, came);
    },
  },
  {
    name: "empty-answer",
    why: "An answer with nothing in it is no success: the loop would stop with nothing said.",
    run: async (subject) => {
      const { terminal } = await observe(subject, { frames: subject.wire.recordings.empty.frames });
      expectThat(
        terminal.type === "error" && terminal.kind === "provider",
        "an error of kind provider",
        terminal,
      );
    },
  },
];

/** The recorded text, in the deltas as in the message, and one success at the end. */
export function expectText({ events, terminal }: Observation, { text }: TextRecording): void {
  expectThat(terminal.type === "done", "the terminal event done", terminal);
  expectSame("the message's text", text, textOf(terminal));
  expectSame("joined deltas", text, joinedDeltas(events));
}

export function joinedDeltas(events: readonly ResponseEvent[]): string {
  return events.map((event) => (event.type === "text_delta" ? event.text : "")).join("");
}

function wholeBody(subject: ProviderSubject, { frames }: Recording): Uint8Array {
  return joinBytes(frameBytes(subject.wire, frames));
}
