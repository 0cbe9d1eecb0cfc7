import {
  Context,
  contentText,
  createMemoryStore,
  isMessage,
  type Message,
  type ResponseEvent,
} from "@ashlar/context";
import { expect, it } from "vitest";
import { turn } from "./conversation.js";

async function* echo(messages: readonly Message[]): AsyncGenerator<ResponseEvent> {
  const last = messages.at(-1);
  yield { type: "start", version: 1 };
  for (const word of `you said ${last === undefined ? "" : contentText(last)}`.split(/(?= )/)) {
    yield { type: "text_delta", contentIndex: 0, text: word };
  }
  yield { type: "done", doneReason: "stop" };
}

it("keeps a conversation that survives its process", async () => {
  const store = createMemoryStore();
  const context = new Context({ store });
  await turn(context, "hello", echo);
  await turn(context, "again", echo);
  const resumed = await Context.open({ store });
  expect([...resumed].map((item) => (isMessage(item) ? contentText(item) : item))).toEqual([
    "hello",
    "you said hello",
    "again",
    "you said again",
  ]);
});
