import { Agent } from "@ashlar/agent";
import { createMemoryRepository, isAshlarError } from "@ashlar/context";
import fc from "fast-check";
import { expect, it } from "vitest";
import { safeTool } from "../support/call-tools.js";
import { talk } from "../support/long-talk.js";
import { calls, failure, scripted, type Turn, text } from "../support/scripted-stream.js";
import { sessionLab } from "../support/session-lab.js";
import { pairingProblems } from "../support/well-paired.js";

const pause = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What a host may do with an agent at any time. Each may be refused, never by anything else than these kinds. */
const REFUSALS: readonly string[] = ["busy", "closed", "usage", "compaction"];
const DEEDS: Readonly<Record<string, (agent: Agent, place: string | null) => unknown>> = {
  send: (agent) => agent.send("more"),
  followUp: (agent) => agent.send("later", { as: "followUp" }),
  pop: (agent) => agent.pendingPop(),
  run: (agent) => agent.run(),
  runLater: (agent) => agent.run({ after: 2 }),
  cancel: (agent) => agent.cancel(),
  compact: (agent) => agent.compact({ keep: 300 }),
  leaveBranch: (agent, place) => agent.summarizeBranch({ to: place }),
  callTool: (agent) => agent.toolCall("look"),
  fork: async (agent) => (await Agent.fork(agent)).close(),
  child: async (agent) => {
    const child = await agent.childCreate({ name: "child" });
    child.send("go");
    await child.run();
  },
  closeChildren: (agent) => Promise.all(agent.children.map((child) => child.close())),
  closeMark: (agent) => agent.closeMark(),
  close: (agent) => agent.close(),
};

const TURNS: readonly Turn[] = [
  text("ok"),
  calls([{ name: "look" }, { name: "look", args: { again: true } }]),
  failure({ kind: "provider", error: "broken" }),
  failure({ kind: "provider", error: "too long", contextOverflow: { window: 3_000, needed: 4_000 } }),
];

it("An agent closes, and leaves a whole session and nothing else, whatever is done with it in whatever order", async () => {
  const look = safeTool(() => pause(1).then(() => "seen"));
  const lab = await sessionLab({ tools: { look }, settings: { context: { autocompact: 0.3 } } });
  const env = await lab.project();
  env.sessionsUse(createMemoryRepository());
  const deed = fc.record({ name: fc.constantFrom(...Object.keys(DEEDS)), pauseMs: fc.nat(3) });
  const deeds = fc.array(deed, { minLength: 3, maxLength: 14 });
  const turns = fc.array(fc.constantFrom(...TURNS), { minLength: 1, maxLength: 8 });
  const property = fc.asyncProperty(deeds, turns, async (list, script) => {
    const answers = scripted(...script, text("ok")).stream;
    const agent = await lab.open(env, {
      stream: async (context, sink, options) => {
        await pause(1);
        return answers(context, sink, options);
      },
      context: talk(),
      session: { id: "s" },
    });
    const place = agent.context.leaf;
    const unexpected: unknown[] = [];
    const over = list.map(() => Promise.resolve());
    for (const [index, { name, pauseMs }] of list.entries()) {
      over[index] = (async () => DEEDS[name]?.(agent, place))().then(
        () => undefined,
        (error: unknown) => {
          if (!isAshlarError(error) || !REFUSALS.includes(error.kind)) unexpected.push(error);
        },
      );
      if (pauseMs > 0) await pause(pauseMs);
    }
    agent.cancel();
    await agent.close();
    await Promise.all(over);
    expect(unexpected).toEqual([]);
    expect(env.agents()).toEqual([]);
    const again = await lab.open(env, { session: { resume: "s" } });
    expect(again.context.journalState).toEqual({ open: undefined, problems: [] });
    expect(pairingProblems(again.context.messages())).toEqual([]);
    await again.close();
    const sessions = await env.sessions();
    for (const { id } of await sessions.list()) await sessions.delete(id);
  });
  await fc.assert(property, { numRuns: 60, endOnFailure: true });
}, 60_000);
