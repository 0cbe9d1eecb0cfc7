import type { ResponseEvent, TerminalEvent } from "@ashlar/context";
import { completeProvider } from "../../complete-provider.js";
import type { ConformanceCase } from "../conformance-case.js";
import { expectSame, expectThat } from "../expectation.js";
import { frameBytes } from "../frame-bytes.js";
import { observe } from "../observation.js";
import type { Spied, SpiedFrame } from "../spy.js";
import type { ProviderSubject } from "../subject.js";

const IDLE_MS = 300;

export const lifetimeCases: readonly ConformanceCase[] = [
  {
    name: "abort-before-answer",
    why: "A model that loads for minutes must stop loading when the user gives up.",
    run: async (subject) => {
      const controller = new AbortController();
      const { terminal } = await observe(subject, {
        reply: { writes: [], ending: "silent" },
        signal: controller.signal,
        onRequest: () => controller.abort(),
        closesSocket: true,
      });
      expectCancelled(terminal);
    },
  },
  {
    name: "abort-mid-stream",
    why: "Only the closed socket stops the server from generating, and from charging.",
    run: async (subject) => {
      const controller = new AbortController();
      const { frames } = subject.wire.recordings.text;
      const { terminal } = await observe(subject, {
        reply: { writes: frameBytes(subject.wire, frames.slice(0, -1)), spacingMs: 20, ending: "hold" },
        signal: controller.signal,
        onEvent: ({ type }) => {
          if (type === "text_delta") controller.abort();
        },
        closesSocket: true,
      });
      expectCancelled(terminal);
    },
  },
  {
    name: "stalled-stream",
    why: "A server that hangs must not hang the run, nor keep its socket.",
    run: async (subject) => {
      const { frames } = subject.wire.recordings.text;
      const { terminal } = await observe(subject, {
        reply: { writes: frameBytes(subject.wire, frames.slice(0, 1)), ending: "hold" },
        timeouts: { idleMs: IDLE_MS, firstEventMs: IDLE_MS },
        closesSocket: true,
      });
      expectThat(
        terminal.type === "error" && terminal.kind === "network",
        "an error of kind network",
        terminal,
      );
    },
  },
  {
    name: "one-terminal",
    why: "Whatever the server still sends, an answer ends once: a second end runs its calls a second time.",
    run: async (subject) => {
      const { text, usage, errorAfter200 } = subject.wire.recordings;
      for (const { frames } of [text, usage, errorAfter200]) {
        const { spied } = await observe(subject, { frames });
        const sent = spied.frames.map(({ frame }) => frame);
        const feed = feedOf(subject, spied);
        const events = [...sent, ...sent, null, null].flatMap((frame) => feed(frame));
        const end = events.findIndex(({ type }) => type === "done" || type === "error");
        expectThat(end !== -1, "a terminal event from the provider", events);
        expectSame("after the terminal event", [], events.slice(end + 1));
      }
    },
  },
  {
    name: "state-per-request",
    why: "Agents run side by side: state outside `state` and the instance mixes their answers.",
    run: async (subject) => {
      const { text, unicode } = subject.wire.recordings;
      const alone = [
        await observe(subject, { frames: text.frames }),
        await observe(subject, { frames: unicode.frames }),
      ];
      const runs = alone.map(
        ({ spied }): SideBySide => ({
          frames: spied.frames,
          feed: feedOf(subject, spied),
          events: [],
        }),
      );
      const longest = Math.max(...runs.map(({ frames }) => frames.length));
      for (let i = 0; i < longest; i++) {
        for (const { frames, feed, events } of runs) {
          const spied = frames[i];
          if (spied !== undefined) events.push(...feed(spied.frame));
        }
      }
      for (const { frames, events } of runs) {
        expectSame(
          "the same events beside another request:",
          frames.flatMap((spied) => spied.events),
          events,
        );
      }
    },
  },
];

interface SideBySide {
  readonly frames: readonly SpiedFrame[];
  readonly feed: (frame: unknown) => readonly ResponseEvent[];
  readonly events: ResponseEvent[];
}

/** A new instance, fed by hand with what the built-in reader would give it. */
function feedOf(subject: ProviderSubject, { url, io }: Spied): (frame: unknown) => readonly ResponseEvent[] {
  const instance = completeProvider(subject.Provider).create(url, io);
  const state = {};
  return (frame) => instance.msg2events(frame, state, io);
}

function expectCancelled(terminal: TerminalEvent): void {
  expectThat(
    terminal.type === "error" && terminal.kind === "cancelled",
    "an error of kind cancelled",
    terminal,
  );
}
