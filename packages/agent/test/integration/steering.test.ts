import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Agent } from "@ashlar/agent";
import { contentText, isMessage, MessageType } from "@ashlar/context";
import type { Reply } from "@ashlar/testing";
import { describe, expect, it } from "vitest";
import { toolResults } from "../support/call-tools.js";
import { type Lab, openLab, WIRES } from "../support/fake-models.js";
import { processesWith } from "../support/left-processes.js";
import { noSandboxHere } from "../support/sandboxed-agent.js";

const missing = await noSandboxHere();
const standardTools = join(
  dirname(createRequire(import.meta.url).resolve("@ashlar/tools-std/package.json")),
  "dist/tools",
);
const ROLES = ["", "system", "user", "assistant", "tool"];

/** Who said what, in the order in which the server heard it. */
function heard(agent: Agent): readonly string[] {
  return agent.context
    .items()
    .filter(isMessage)
    .map((message) => `${ROLES[message.type]}: ${contentText(message)}`);
}

const answers = (lab: Lab): readonly number[] => lab.server.asked().map(({ status }) => status ?? 0);
const look = (ms: number, name: string) => ({
  description: "Looks.",
  safe: true,
  inputSchema: { type: "object" },
  fn: async () => {
    await sleep(ms);
    return `${name} seen`;
  },
});

describe.each(WIRES)("over the wire %s, a strict server", (wire) => {
  it("hears what was sent during a batch after all of its results, in order", async () => {
    const prompts: string[] = [];
    const lab = await openLab({
      tools: { left: look(60, "left"), right: look(5, "right") },
      server: {
        script: ({ attempt, prompt, results }): Reply => {
          prompts.push(prompt);
          if (attempt === 0) return { parts: [call("left"), call("right"), call("left")] };
          if (attempt === 1) return { parts: [{ text: `heard ${prompt}` }, call("right")] };
          return { parts: [{ text: `said ${prompt} after ${results.length}` }] };
        },
      },
    });
    const agent = lab.open(`${wire}/ok`, { steering: "one" });
    agent.onEvent(Agent.EVENT.TOOL_EXECUTE, ({ callId }) => {
      if (callId !== "agent-1" && !callId.endsWith("1")) return;
      agent.send("first word");
      agent.send("and then this", { as: "followUp" });
      agent.send("second word");
    });
    agent.send("go");
    expect(await agent.run()).toMatchObject({ kind: "success", requests: 4 });
    expect(answers(lab)).toEqual([200, 200, 200, 200]);
    expect(prompts).toEqual(["go", "first word", "second word", "and then this"]);
    expect(heard(agent)).toEqual([
      "user: go",
      "assistant: ",
      "tool: left seen",
      "tool: right seen",
      "tool: left seen",
      "user: first word",
      "assistant: heard first word",
      "tool: right seen",
      "user: second word",
      "assistant: said second word after 0",
      "user: and then this",
      "assistant: said and then this after 0",
    ]);
    expect(agent.pending).toBe(0);
  });

  it.skipIf(missing !== undefined)(
    "is sent a result for every call of a batch that was cancelled, and what was queued meanwhile",
    { timeout: 60_000 },
    async () => {
      const mark = `31.${process.pid}${WIRES.indexOf(wire)}`;
      const lab = await openLab({
        roots: [standardTools],
        tools: { left: look(10, "left") },
        server: {
          script: ({ attempt }): Reply =>
            attempt === 0
              ? {
                  parts: [
                    call("left"),
                    call("bash", { command: `sleep ${mark}` }),
                    call("left"),
                    call("bash", { command: "echo never" }),
                  ],
                }
              : { parts: [{ text: "I see" }] },
        },
      });
      const agent = lab.open(`${wire}/ok`);
      agent.send("go");
      const running = agent.run();
      while (processesWith(mark).length === 0) await sleep(10);
      agent.send("are you still there?");
      agent.send("and you?", { as: "followUp" });
      const began = Date.now();
      agent.cancel();
      // Too late to be heard by this run.
      agent.send("hello?");
      expect(await running).toMatchObject({ kind: "cancelled", exitCode: 130, requests: 1 });
      const tookMs = Date.now() - began;
      expect(tookMs).toBeLessThan(5_000);
      console.log(`cancelled after ${tookMs} ms on ${wire}`);
      expect(processesWith(mark)).toEqual([]);
      expect(toolResults(agent.context.items()).map(({ error }) => error === true)).toEqual([
        false,
        true,
        true,
        true,
      ]);
      expect(agent.pending).toBe(3);
      expect(await agent.run()).toMatchObject({ kind: "success", requests: 2 });
      expect(answers(lab)).toEqual([200, 200, 200]);
      const users = agent.context.messages().filter(({ type }) => type === MessageType.user);
      expect(users.map(contentText)).toEqual(["go", "are you still there?\n\nhello?", "and you?"]);
    },
  );
});

function call(name: string, args: object = {}): { readonly call: { name: string; arguments: object } } {
  return { call: { name, arguments: args } };
}
