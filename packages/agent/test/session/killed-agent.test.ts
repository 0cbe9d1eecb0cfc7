import { rm } from "node:fs/promises";
import { join } from "node:path";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { type FakeScript, startFakeLLM } from "@ashlar/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { bundleAgentProcess, processLab } from "../support/agent-process.js";

const program = join(import.meta.dirname, `.agent-process-${process.pid}.mjs`);
beforeAll(() => bundleAgentProcess(program));
afterAll(() => rm(program, { force: true }));

const NAMES = ["look", "count", "send"];

/** Three calls at once for `work`, one word for everything else. */
const script: FakeScript = ({ prompt, results }) =>
  prompt === "work" && results.length === 0
    ? { parts: NAMES.map((name) => ({ call: { name, arguments: {} } })) }
    : { parts: [{ text: "fine" }] };

async function lab() {
  const server = await startFakeLLM({ script });
  onTestFinished(() => server.close());
  return { server, ...(await processLab(program, server)) };
}

describe.each(["ollama", "chat", "responses"])(
  "an agent that is killed while three calls run, over %s",
  (wire) => {
    it("is taken up by another process: one result for each call, and only the repeatable one ran again", async () => {
      const { server, start, begun, ran } = await lab();
      const first = start({ open: { model: `${wire}/ok` }, prompt: "work", hang: true });
      const { session } = (await first.next()) ?? {};
      await begun(3);
      await first.kill("SIGKILL");
      const second = start({ open: { session: { resume: String(session) } }, prompt: "go on" });
      expect(await second.next()).toEqual({ session });
      expect(await second.next()).toEqual({
        kind: "success",
        results: [
          ["count", expect.stringMatching(/^Interrupted.*may have partly run/)],
          ["send", expect.stringMatching(/^Interrupted.*may have partly run/)],
          ["look", "look ran"],
        ],
      });
      expect((await ran()).toSorted()).toEqual(["count", "look", "look", "send"]);
      const statuses = server.asked().map(({ status }) => status);
      expect(statuses).toEqual([200, 200]);
    });
  },
);

describe("the end of a process with an agent", () => {
  it("is held by the next one as soon as it is dead", async () => {
    const { start, begun, home } = await lab();
    const first = start({ open: { model: "ollama/ok" }, prompt: "work", hang: true });
    const { session } = (await first.next()) ?? {};
    await begun(3);
    const locked = start({ open: { session: { resume: "latest" } } });
    expect(await locked.next()).toMatchObject({
      failed: { kind: "locked", details: { id: session, pid: first.child.pid } },
    });
    await first.kill("SIGKILL");
    const store = await createJsonlRepository({ folder: join(home, "data", "sessions") }).open(
      String(session),
    );
    await store.close();
  });

  it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "by %s leaves the session whole and unlocked",
    async (signal) => {
      const { start, begun, home } = await lab();
      const first = start({ open: { model: "ollama/ok" }, prompt: "work", hang: true, armed: true });
      const { session } = (await first.next()) ?? {};
      await begun(3);
      expect(await first.kill(signal)).toBe(130);
      const store = await createJsonlRepository({ folder: join(home, "data", "sessions") }).open(
        String(session),
      );
      const last = (await store.load()).at(-1);
      expect([store.damage, last]).toMatchObject([
        [],
        { kind: "journal", event: { type: "operation_finished", outcome: "cancelled" } },
      ]);
      await store.close();
    },
  );
});
