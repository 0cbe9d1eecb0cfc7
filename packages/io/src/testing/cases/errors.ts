import { createServer } from "node:net";
import type { ConformanceCase } from "../conformance-case.js";
import { within } from "../deadline.js";
import { expectSame, expectThat } from "../expectation.js";
import { frameBytes } from "../frame-bytes.js";
import { Gate } from "../gate.js";
import { authOf, type Observation, observe, SECRET, textOf } from "../observation.js";
import type { ErrorStatusRecording, ProviderSubject } from "../subject.js";

const encoder = new TextEncoder();

/** Far more than a few bytes need on this machine. */
const TEXT_ARRIVES_MS = 3_000;

/** Answers that any server behind any proxy may give. */
const STATUSES: readonly (ErrorStatusRecording & { readonly retryAfterMs?: number })[] = [
  { status: 401, body: "", kind: "auth", says: "401" },
  { status: 403, body: "<html><title>Forbidden</title></html>", kind: "auth", says: "403" },
  {
    status: 429,
    body: "slow down",
    headers: { "retry-after": "2" },
    retryAfterMs: 2000,
    kind: "provider",
    says: "slow down",
  },
  { status: 500, body: "<html><title>Oops</title></html>", kind: "provider", says: "500" },
];

export const errorCases: readonly ConformanceCase[] = [
  {
    name: "error-before-stream",
    why: "The server's own words are the only help that a person gets.",
    run: async (subject) => {
      const { errorBefore } = subject.wire.recordings;
      expectThat(errorBefore.length > 0, "at least one recording of an error status", errorBefore);
      for (const recording of errorBefore) expectStatus(recording, await observeStatus(subject, recording));
    },
  },
  {
    name: "status-codes",
    why: "Kind and status decide whether to ask for credentials, to wait or to give up; a hidden retry doubles the load.",
    run: async (subject) => {
      for (const recording of STATUSES) {
        const seen = await observeStatus(subject, recording);
        expectStatus(recording, seen);
        expectThat(
          seen.requests.length === 1,
          `one request for status ${recording.status}`,
          `${seen.requests.length} requests`,
        );
        if (recording.retryAfterMs === undefined || seen.terminal.type !== "error") continue;
        expectSame(
          "the wait that Retry-After asks for, in ms,",
          recording.retryAfterMs,
          seen.terminal.retryAfterMs,
        );
      }
    },
  },
  {
    name: "error-after-200",
    why: "The status line is already sent: the frame is the only place where the failure can be told.",
    run: async (subject) => {
      const { frames, says, text } = subject.wire.recordings.errorAfter200;
      const { terminal } = await observe(subject, { frames });
      expectThat(terminal.type === "error", "an error", terminal);
      expectThat(terminal.error.includes(says), `an error that says ${JSON.stringify(says)}`, terminal.error);
      expectSame("the text that came before, kept,", text, textOf(terminal));
      expectThat(terminal.message?.incomplete === true, "a message marked incomplete", terminal.message);
    },
  },
  {
    name: "torn-stream",
    why: "A connection that ends early looks like an answer that ends early.",
    run: async (subject) => expectTorn(await observe(subject, { frames: await beginning(subject) })),
  },
  {
    name: "reset-stream",
    why: "A connection that breaks must say so, and leave what came.",
    run: async (subject) => {
      const writes = frameBytes(subject.wire, await beginning(subject));
      const text = new Gate();
      const seen = await observe(subject, {
        reply: {
          writes,
          // A reset throws away what was not read yet, so it waits until the text has arrived.
          beforeEnding: () => within(text.opened, TEXT_ARRIVES_MS),
          ending: "reset",
        },
        onEvent: ({ type }) => {
          if (type === "text_delta") text.open();
        },
      });
      expectTorn(seen);
    },
  },
  {
    name: "unreachable",
    why: "No server is the most frequent failure of local models; it must be told from a refusal.",
    run: async (subject) => {
      const url = `http://127.0.0.1:${await freePort()}${subject.wire.basePath ?? ""}`;
      const { terminal } = await observe(subject, { url });
      expectThat(
        terminal.type === "error" && terminal.kind === "network",
        "an error of kind network",
        terminal,
      );
    },
  },
  {
    name: "secrets",
    why: "Events are logged, stored and shown; a key in one of them is a key that leaked.",
    run: async (subject) => {
      const { token } = authOf(subject);
      const secret = token ?? SECRET;
      const { text, errorAfter200 } = subject.wire.recordings;
      const body = `The key ${secret} is not valid.`;
      const seen = [
        await observe(subject, { frames: text.frames }),
        await observe(subject, { frames: errorAfter200.frames }),
        await observe(subject, { reply: { status: 401, writes: [encoder.encode(body)] } }),
      ];
      for (const { events } of seen)
        expectThat(!JSON.stringify(events).includes(secret), "events without the credentials", events);
    },
  },
];

function observeStatus(
  subject: ProviderSubject,
  { status, body, headers }: ErrorStatusRecording,
): Promise<Observation> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const contentType =
    typeof body !== "string" ? "application/json" : text.startsWith("<") ? "text/html" : "text/plain";
  const reply = {
    status,
    writes: text === "" ? [] : [encoder.encode(text)],
    headers: { "content-type": contentType, ...headers },
  };
  return observe(subject, { reply });
}

function expectStatus({ status, kind, says }: ErrorStatusRecording, { terminal }: Observation): void {
  expectThat(terminal.type === "error", `an error for status ${status}`, terminal);
  expectSame(`for status ${status}, kind`, kind, terminal.kind);
  expectSame("status", status, terminal.status);
  expectThat(terminal.error.includes(says), `an error that says ${JSON.stringify(says)}`, terminal.error);
}

/** The frames of the recorded text up to the first that gave some. */
async function beginning(subject: ProviderSubject): Promise<readonly unknown[]> {
  const { frames } = subject.wire.recordings.text;
  for (let count = 1; count < frames.length; count++) {
    const { terminal } = await observe(subject, { frames: frames.slice(0, count) });
    if (textOf(terminal) !== "") return frames.slice(0, count);
  }
  return frames.slice(0, 1);
}

function expectTorn({ terminal }: Observation): void {
  expectThat(terminal.type === "error", "an error, because the answer never ended", terminal);
  expectThat(textOf(terminal) !== "", "the text that came before, kept", terminal);
  expectThat(terminal.message?.incomplete === true, "a message marked incomplete", terminal.message);
}

/** A port of 127.0.0.1 on which nothing listens. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return typeof address === "object" && address !== null ? address.port : 9;
}
