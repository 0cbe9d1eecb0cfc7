import { type Message, messageAssistant, messageToolResult, messageUser } from "@ashlar/context";
import { connect, IO } from "@ashlar/io";
import { expect, it, onTestFinished } from "vitest";
import { Test, type TextPart } from "../src/index.js";

const call = (callId: string, name: string): Message => ({
  type: 3,
  content: [{ type: "toolCall", callId, name, arguments: {} }],
});
const context: readonly Message[] = [
  messageUser("go"),
  call("c1", "read"),
  messageToolResult({ callId: "c1", content: "1\t# Old" }),
  call("c2", "read"),
  messageToolResult({ callId: "c2", content: "1\t# Stone bridge\n2\t\n3\tIt stands." }),
  call("c3", "bash"),
  messageToolResult({ callId: "c3", content: "one\n\n2 passed\n\n" }),
  messageAssistant("hm"),
];

async function answer(text: readonly TextPart[]): Promise<unknown> {
  const io = new IO(connect(Test, { model: "quotes", settings: { script: [{ text }] } }));
  onTestFinished(() => io.close());
  return (await io.write(context, () => undefined)).message?.content;
}

it.each([
  {
    why: "the first line of the latest result",
    text: ["It is: ", { result: "read" }, "."],
    says: "It is: # Stone bridge.",
  },
  { why: "a line counted without blank ones", text: [{ result: "read", line: 2 }], says: "It stands." },
  { why: "the last line", text: [{ result: "bash", line: -1 }], says: "2 passed" },
  {
    why: "a line that is not there",
    text: [{ result: "bash", line: 9 }],
    says: "(no line 9 in the result of bash)",
  },
  { why: "a tool that was not called", text: [{ result: "edit" }], says: "(no result of edit)" },
])("a script says of $why what the tool returned", async ({ text, says }) => {
  expect(await answer(text)).toEqual([{ type: "text", text: says }]);
});
