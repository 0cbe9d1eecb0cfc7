import type { Agent } from "@ashlar/agent";
import { contentText } from "@ashlar/context";
import { expect, it } from "vitest";
import { ask } from "../support/open-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";
import { sessionLab } from "../support/session-lab.js";

async function editing(edit: (agent: Agent) => void) {
  const hold: { agent?: Agent } = {};
  const lab = await sessionLab({
    tools: {
      look: {
        description: "Looks.",
        safe: true,
        inputSchema: { type: "object" },
        fn: () => {
          if (hold.agent !== undefined) edit(hold.agent);
          return "seen";
        },
      },
    },
  });
  const env = await lab.project();
  const { stream, requests } = scripted(calls([{ name: "look" }]), text("done"));
  const agent = await lab.open(env, { stream, session: { id: "s" } });
  hold.agent = agent;
  const result = await ask(agent, "first");
  return { lab, env, agent, result, requests };
}

it("takes an edit while a run is under way, and sends it with the next request", async () => {
  const { agent, result, requests } = await editing(({ context }) => {
    context.edit(0, { type: 2, content: [{ type: "text", text: "FIRST" }] });
  });
  expect(result).toMatchObject({ kind: "success" });
  expect(requests[1]?.context[0]).toMatchObject({ content: [{ text: "FIRST" }] });
  expect(agent.context.length).toBe(4);
});

it("ends a run whose call was taken away, and keeps the session whole", async () => {
  const { lab, env, agent, result } = await editing(({ context }) => context.rollback(0));
  expect(result).toMatchObject({ kind: "other", error: expect.stringContaining("no assistant message") });
  expect(await ask(agent, "again")).toMatchObject({ kind: "success" });
  await agent.close();
  const resumed = await lab.open(env, { session: { resume: "s" } });
  expect(resumed.context.messages().map(contentText)).toEqual(["again", "done"]);
  expect(resumed.context.journalState).toEqual({ open: undefined, problems: [] });
});
