import { type Agent, Budget, type Isolation } from "@ashlar/agent";
import type { ToolContext } from "@ashlar/context/tool";
import { describe, expect, it } from "vitest";
import { safeTool } from "../support/call-tools.js";
import { ask } from "../support/open-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";
import { sessionLab } from "../support/session-lab.js";

/** Its commands never end, whoever asks. */
const stubborn: Isolation = {
  probe: async () => ({ confines: { files: true, network: true, processes: true } }),
  call: () => Promise.reject(new Error("no call was asked for")),
  background: async () => ({
    exited: new Promise(() => undefined),
    end: () => Promise.reject(new Error("it does not end")),
  }),
  close: async () => undefined,
};

describe("closing an agent", () => {
  it("commits its session and lets it go, also when a command cannot be ended", async () => {
    const linger = safeTool(async (_args: unknown, { background }: ToolContext) => {
      await background?.start("server", {});
      return "it runs";
    });
    const lab = await sessionLab({ tools: { linger } });
    const env = await lab.project();
    const { stream } = scripted(calls([{ name: "linger" }]), text("it runs"));
    const agent = await lab.open(env, { stream, isolation: stubborn, session: { id: "s" } });
    await ask(agent, "go");
    agent.context.append({ type: 2, content: [{ type: "text", text: "not yet committed" }] });
    await expect(agent.close()).rejects.toThrow(/^it does not end$/);
    const again = await lab.open(env, { session: { resume: "s" } });
    expect(JSON.stringify(again.context.messages().at(-1))).toContain("not yet committed");
  });

  it("gives back what a request claimed that could not be noted", async () => {
    const lab = await sessionLab();
    const env = await lab.project();
    const budget = Budget.start({ tokens: 1_000 }, Date.now());
    const agent: Agent = await lab.open(env, {
      budget,
      interceptors: [{ beforeRequest: () => agent.context.close() }],
    });
    expect(await ask(agent, "mortar ".repeat(300))).toMatchObject({ kind: "other", requests: 0 });
    expect(budget.reserve({ now: Date.now(), tokens: 1_000 })).toMatchObject({ ok: true });
    await expect(agent.close()).rejects.toMatchObject({ kind: "storage" });
  });

  it("keeps a session that holds nothing but a record", async () => {
    const remember = safeTool(async (_args: unknown, { records }: ToolContext) => {
      await records?.append("tool:remember", { mortar: "lime" });
      return "kept";
    });
    const lab = await sessionLab({ tools: { remember } });
    const env = await lab.project();
    const agent = await lab.open(env);
    await agent.toolCall("remember");
    const id = agent.session?.id ?? "";
    await agent.close();
    const again = await lab.open(env, { session: { resume: id } });
    expect(JSON.stringify(again.context.items())).toContain("lime");
  });
});
