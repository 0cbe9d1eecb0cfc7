import { setTimeout } from "node:timers/promises";
import { type Message, MessageType, wellFormed } from "@ashlar/context";
import type { ToolDescriptor } from "@ashlar/context/provider";
import { completeProvider } from "../../complete-provider.js";
import type { ConformanceCase } from "../conformance-case.js";
import { expectSame, expectThat } from "../expectation.js";
import { authOf, HELLO, observe, SECRET } from "../observation.js";
import type { ReplayedRequest } from "../replay-server.js";
import { parsedBody, stringsIn } from "../request-body.js";
import type { Spied } from "../spy.js";
import type { ProviderSubject } from "../subject.js";

/** One black pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const ZIP = "UEsDBAoAAAAAAGNvbmZvcm1hbmNl";

const TALK: readonly Message[] = [
  { type: MessageType.system, content: [{ type: "text", text: "system text one" }] },
  { type: MessageType.user, content: [{ type: "text", text: "user text two" }] },
  { type: MessageType.assistant, content: [{ type: "text", text: "answer text three" }] },
  { type: MessageType.system, content: [{ type: "text", text: "later system text four" }] },
  {
    type: MessageType.user,
    content: [
      { type: "text", text: "user text five, first block" },
      { type: "text", text: "user text six, second block" },
    ],
  },
];

const TEXTS = [
  "system text one",
  "user text two",
  "answer text three",
  "later system text four",
  "user text five, first block",
  "user text six, second block",
];

export const requestCases: readonly ConformanceCase[] = [
  {
    name: "whole-context",
    why: "What is dropped on the way to the model is not missed by anybody until the answer is wrong.",
    run: async (subject) => {
      const { body } = await sent(subject, TALK);
      for (const text of TEXTS)
        expectThat(body.includes(text), `${JSON.stringify(text)} in the request`, body);
    },
  },
  {
    name: "pure-translation",
    why: "A request that differs for the same context is never cached; a context that is changed is damaged for good.",
    run: async (subject) => {
      const { spied } = await observe(subject, {
        frames: subject.wire.recordings.text.frames,
        context: TALK,
      });
      const first = translated(subject, spied);
      // A clock that shows in the request has moved on by now.
      await setTimeout(5);
      const second = translated(subject, spied);
      expectThat(first === second, `the same bytes for the same context: ${first}`, second);
    },
  },
  {
    name: "stable-prefix",
    why: "Servers reuse what they computed for a prompt only as long as it begins with the same bytes.",
    run: async (subject) => {
      let before: readonly Grown[] = [];
      for (let count = 2; count <= TALK.length; count++) {
        const lists = listsIn(parsedBody(await sent(subject, TALK.slice(0, count))));
        for (const { place, json } of before) {
          const after = lists.find((list) => list.place === place)?.json ?? "nothing";
          const prefix = json.slice(0, -1);
          expectThat(
            after.startsWith(prefix),
            `${place} to begin with ${prefix}, as one request earlier`,
            after,
          );
        }
        before = lists;
      }
    },
  },
  {
    name: "attachments",
    why: "A picture that is left out without a word is answered from imagination.",
    run: async (subject) => {
      const blocks = [
        { type: "image", content: PNG, mimetype: "image/png" },
        { type: "binary", content: ZIP, mimetype: "application/zip", filename: "kit.zip" },
      ] as const;
      for (const block of blocks) {
        const context: readonly Message[] = [
          { type: MessageType.user, content: [{ type: "text", text: "look" }, block] },
        ];
        const { requests, terminal } = await observe(subject, {
          frames: subject.wire.recordings.text.frames,
          context,
        });
        const refused = terminal.type === "error" && terminal.kind === "malformed" && requests.length === 0;
        const carried = requests.at(-1)?.body.includes(block.content) === true;
        expectThat(
          refused || carried,
          `the ${block.type} in the request, or an error of kind malformed before it`,
          requests.at(-1)?.body ?? terminal,
        );
      }
    },
  },
  {
    name: "well-formed-unicode",
    why: "Strict servers answer half a character with status 400, on every later request of the session.",
    run: async (subject) => {
      const half = "cut \ud83d here";
      const context: readonly Message[] = [
        { type: MessageType.user, content: [{ type: "text", text: half }] },
      ];
      const tools = [{ name: "cut", description: half, inputSchema: { type: "object", description: half } }];
      const request = await sent(subject, context, tools);
      const strings = stringsIn(parsedBody(request));
      const broken = strings.filter(({ text }) => wellFormed(text) !== text);
      expectSame(
        "strings with half a character",
        [],
        broken.map(({ place }) => place),
      );
      expectThat(
        strings.some(({ text }) => text.includes("cut ") && text.includes(" here")),
        "the rest of the text",
        request.body,
      );
    },
  },
  {
    name: "credentials",
    why: "Addresses are written to the logs of servers and proxies; a key in one of them is a key that leaked.",
    run: async (subject) => {
      const secret = authOf(subject).token ?? SECRET;
      const { target, body } = await sent(subject, HELLO);
      expectThat(
        !decodeURIComponent(target).includes(secret),
        "an address without the credentials",
        "an address with them",
      );
      expectThat(!body.includes(secret), "a body without the credentials", "a body with them");
    },
  },
];

/** The request's JSON, from a context that nobody can change. */
function translated(subject: ProviderSubject, { url, io }: Spied): string {
  const instance = completeProvider(subject.Provider).create(url, io);
  try {
    return JSON.stringify(instance.context2msg(deepFrozen(structuredClone(TALK)), io));
  } catch (error) {
    expectThat(false, "a translation that leaves the context as it is", error);
  }
}

async function sent(
  subject: ProviderSubject,
  context: readonly Message[],
  tools: readonly ToolDescriptor[] = [],
): Promise<ReplayedRequest> {
  const { frames } = subject.wire.recordings.text;
  const { requests, terminal } = await observe(subject, { frames, context, tools });
  const request = requests.at(-1);
  expectThat(request !== undefined, `a request to ${subject.wire.path}`, terminal);
  return request;
}

interface Grown {
  readonly place: string;
  readonly json: string;
}

/** The arrays among the members of a body: the conversation is one of them, whatever the wire calls it. */
function listsIn(body: unknown): readonly Grown[] {
  if (typeof body !== "object" || body === null) return [];
  return Object.entries(body).flatMap(([place, value]) =>
    Array.isArray(value) ? [{ place, json: JSON.stringify(value) }] : [],
  );
}

function deepFrozen<Value>(value: Value): Value {
  if (typeof value === "object" && value !== null)
    for (const member of Object.values(value)) deepFrozen(member);
  return Object.freeze(value);
}
