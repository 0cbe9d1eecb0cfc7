import { contentText } from "@ashlar/context";
import type { Reply } from "@ashlar/testing";
import { expect, it } from "vitest";
import { openLab, WIRES } from "../support/fake-models.js";
import { ask } from "../support/open-agent.js";

const look = { description: "Looks.", safe: true, inputSchema: { type: "object" }, fn: () => "seen" };
const script = ({ model, results }: { model: string; results: readonly unknown[] }): Reply =>
  results.length === 0
    ? { parts: [{ call: { name: "look", arguments: {} } }] }
    : { parts: [{ text: `${model} answers` }] };

it.each(WIRES)(
  "goes from %s to any other wire in the middle of a run, calls and results paired",
  async (from) => {
    for (const to of WIRES) {
      const lab = await openLab({ tools: { look }, server: { script } });
      const agent = lab.open(`${from}/ok`, {
        interceptors: [{ prepareNextTurn: () => ({ model: `${to}/big` }) }],
      });
      const result = await ask(agent);
      expect(result).toMatchObject({ kind: "success", requests: 2 });
      expect(result.message && contentText(result.message)).toBe("big answers");
      const asked = lab.server.asked();
      expect(asked.map(({ status }) => status)).toEqual([200, 200]);
      expect(asked.map(({ body }) => body)).toMatchObject([{ model: "ok" }, { model: "big" }]);
      expect(agent.model).toBe(`${from}/ok`);
      // The next run is the agent's own again.
      await ask(agent);
      expect(lab.server.asked()[2]?.body).toMatchObject({ model: "ok" });
      expect(lab.events.some(({ type }) => type === "notice")).toBe(false);
    }
  },
);

it("keeps its model when a hook names one that nobody knows, and says so", async () => {
  const lab = await openLab({ tools: { look }, server: { script } });
  const agent = lab.open("ollama/ok", {
    interceptors: [{ prepareNextTurn: () => ({ model: "nowhere/big" }) }],
  });
  expect(await ask(agent)).toMatchObject({ kind: "success" });
  expect(lab.events.filter(({ type }) => type === "notice")).toMatchObject([
    { message: expect.stringMatching(/^The run keeps ollama\/ok: .*nowhere/) },
  ]);
});
