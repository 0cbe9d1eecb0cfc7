import { setTimeout as sleep } from "node:timers/promises";
import { Agent, type Interceptor, type UserInput } from "@ashlar/agent";
import { contentText, isMessage, MessageType, requestView } from "@ashlar/context";
import fc from "fast-check";
import { expect, it } from "vitest";
import { safeTool, toolResults } from "../support/call-tools.js";
import { type OpenedAgent, openAgent } from "../support/open-agent.js";
import { calls, failure, scripted, type Turn, text } from "../support/scripted-stream.js";

/** What somebody does at some moment of a run. */
const DEEDS = ["nothing", "steer", "follow", "cancel", "take back", "wait", "throw", "hang"] as const;
type Deed = (typeof DEEDS)[number];

const TURNS: readonly Turn[] = [
  calls([{ name: "a" }, { name: "a", args: { n: 1 } }]),
  calls([{ name: "a", args: { n: 2 } }]),
  text("said"),
  failure({ kind: "malformed" }),
];

interface Played extends OpenedAgent {
  readonly sent: readonly string[];
  readonly back: readonly string[];
  readonly results: number;
}

/** Runs an agent whose hooks, tools and listeners do the deeds, one after the other. */
async function play(deeds: readonly Deed[], turns: readonly Turn[]): Promise<Played> {
  let moment = 0;
  const sent: string[] = [];
  const back: string[] = [];
  const send = (input: UserInput & string, as?: "followUp"): void => {
    sent.push(input);
    agent.send(input, as === undefined ? {} : { as });
  };
  const act = (): Promise<undefined> | undefined => {
    const deed = deeds[moment++ % deeds.length];
    switch (deed) {
      case "steer":
        send(`steer ${moment}`);
        return undefined;
      case "follow":
        send(`follow ${moment}`, "followUp");
        return undefined;
      case "cancel":
        agent.cancel();
        return undefined;
      case "take back":
        back.push(...agent.pendingPop().map(contentText));
        return undefined;
      case "wait":
        return sleep(1, undefined);
      case "throw":
        throw new Error("a deed");
      case "hang":
        return new Promise(() => {});
      default:
        return undefined;
    }
  };
  const interceptor: Interceptor = {
    beforeTool: act,
    afterTool: act,
    beforeRequest: act,
    stopAfterTurn: act,
    prepareNextTurn: act,
  };
  const opened = await openAgent({
    stream: scripted(...turns).stream,
    toolDescriptions: { a: safeTool(() => "A") },
    interceptors: [interceptor],
    steering: "one",
    toolCall: { timeout: 15 },
    envSettings: { tools: { timeout: 15 } },
    budget: { requests: 8 },
  });
  const { agent, events } = opened;
  agent.onEvent(Agent.EVENT.SENT_MESSAGE, () => {
    if (deeds.length % 2 === 0) back.push(...agent.pendingPop().map(contentText));
  });
  send("go");
  await agent.run();
  return { ...opened, sent, back, results: events.filter(({ type }) => type === "result").length };
}

it("loses no message, answers each call once and ends once, whatever hooks do and whenever", {
  timeout: 60_000,
}, async () => {
  const deeds = fc.array(fc.constantFrom(...DEEDS), { minLength: 1, maxLength: 9 });
  const turns = fc.array(fc.constantFrom(...TURNS), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(deeds, turns, async (list, script) => {
      const { agent, sent, back, results } = await play(list, script);
      expect(results).toBe(1);
      const items = agent.context.items();
      const made = agent.context
        .messages()
        .flatMap(({ content }) =>
          content.flatMap((block) => (block.type === "toolCall" ? [block.callId] : [])),
        );
      expect(toolResults(items).map(({ callId }) => callId)).toEqual(made);
      // Nothing has to be mended for the next request; a failed answer is left out of it.
      expect(requestView(items).filter(({ type }) => type === MessageType.toolResult)).toHaveLength(
        made.length,
      );
      const left = agent.pendingPop().map(contentText);
      const delivered = items
        .filter(isMessage)
        .filter(({ type }) => type === MessageType.user)
        .flatMap((message) => contentText(message).split("\n\n"));
      expect([...delivered, ...back, ...left].sort()).toEqual([...sent].sort());
      for (const kind of ["steer", "follow"]) {
        const order = delivered
          .filter((line) => line.startsWith(kind))
          .map((line) => Number(line.split(" ")[1]));
        expect(order).toEqual([...order].sort((a, b) => a - b));
      }
      await agent.close();
    }),
    { numRuns: 60 },
  );
});
