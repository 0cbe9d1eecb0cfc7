import { contentText, type Message } from "@ashlar/context";
import { expect, it } from "vitest";
import { talk } from "../support/long-talk.js";
import { openAgent } from "../support/open-agent.js";
import { scripted, text } from "../support/scripted-stream.js";

const shown = (context: readonly object[]): string =>
  context.map((item) => contentText(item as Message)).join("\n");

it("asks the hooks before requests for a summary, too: it shows what the conversation shows", async () => {
  const purposes: string[] = [];
  const { stream, requests } = scripted(text("## Intent\nBuild a wall."), text("ok"));
  const { agent } = await openAgent({
    stream,
    context: talk(),
    interceptors: [
      {
        beforeRequest: ({ purpose, messages }) => {
          purposes.push(purpose);
          const redacted = JSON.stringify(messages).replaceAll("first-question", "REDACTED");
          return { messages: JSON.parse(redacted) };
        },
      },
    ],
  });
  expect(await agent.compact({ keep: 900 })).toMatchObject({ status: "compacted" });
  expect(await agent.run()).toMatchObject({ kind: "success" });
  expect(purposes).toEqual(["summary", "answer"]);
  expect(shown(requests[0]?.context ?? [])).toContain("REDACTED");
  expect(requests.map(({ context }) => shown(context)).join("\n")).not.toContain("first-question");
});

it("claims the budget for what a hook made of the request for a summary", async () => {
  const { stream } = scripted(text("short"));
  const { agent } = await openAgent({
    stream,
    context: talk(),
    budget: { tokens: 500 },
    interceptors: [
      { beforeRequest: () => ({ messages: [{ type: 2, content: [{ type: "text", text: "Be brief." }] }] }) },
    ],
  });
  expect(await agent.compact({ keep: 900 })).toMatchObject({ status: "compacted" });
});

it("sends no request for a summary when a hook fails, and leaves the conversation as it was", async () => {
  const { stream, requests } = scripted(text("never"));
  const { agent } = await openAgent({
    stream,
    context: talk(),
    interceptors: [
      {
        name: "scan",
        beforeRequest: () => {
          throw new Error("the scanner is away");
        },
      },
    ],
  });
  const before = agent.context.items();
  await expect(agent.compact({ keep: 900 })).rejects.toMatchObject({
    kind: "compaction",
    message: expect.stringContaining("the scanner is away"),
    details: { reason: "request" },
  });
  expect(requests).toHaveLength(0);
  expect(agent.context.items()).toEqual(before);
});

it("does not wait for a hook once the compaction is cancelled", async () => {
  const { stream, requests } = scripted(text("never"));
  const { agent } = await openAgent({
    stream,
    context: talk(),
    interceptors: [
      {
        beforeRequest: () => {
          setTimeout(() => agent.cancel(), 5);
          return new Promise(() => {});
        },
      },
    ],
  });
  await expect(agent.compact({ keep: 900 })).rejects.toMatchObject({ details: { reason: "cancelled" } });
  expect(requests).toHaveLength(0);
});
