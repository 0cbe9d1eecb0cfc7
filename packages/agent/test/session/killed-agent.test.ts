import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Context } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { type FakeScript, startFakeLLM } from "@ashlar/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import {
  type AgentProcess,
  bundleAgentProcess,
  type ProcessTask,
  processLab,
} from "../support/agent-process.js";

const program = join(import.meta.dirname, `.agent-process-${process.pid}.mjs`);
beforeAll(() => bundleAgentProcess(program));
afterAll(() => rm(program, { force: true }));

const KILLS = 12;
const NAMES = ["look", "count", "send"];

const LONG = "long é ".repeat(15_000);

/** Three calls at once for `work`, much text for `talk`, the first half of it at once for `dwell`, else one word. */
const script: FakeScript = ({ prompt, results }) => {
  if (prompt === "work" && results.length === 0)
    return { parts: NAMES.map((name) => ({ call: { name, arguments: {} } })) };
  if (prompt.endsWith("dwell")) return { parts: [{ text: LONG }, { wait: 60_000 }, { text: LONG }] };
  return { parts: [{ text: prompt.endsWith("talk") ? LONG + LONG : "fine" }] };
};

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

describe("an agent that is killed again and again, whenever that is", () => {
  it("has one result for each call in the end, and was never refused by a strict server", {
    timeout: 120_000,
  }, async () => {
    const { server, start, home } = await lab();
    const open =
      (await start({ open: { model: "ollama/ok", session: { id: "s" } }, prompt: "begin" }).next()) ?? {};
    expect(open).toEqual({ session: "s" });
    for (let round = 0; round < KILLS; round += 1) {
      const process = await startWhenFree(start);
      // Spread over the whole of a run: before its request, in its calls, after its answer.
      await new Promise((resolve) => setTimeout(resolve, (round * 37) % 160));
      await process.kill("SIGKILL");
    }
    const last = await startWhenFree(start);
    expect(await last.next()).toMatchObject({ kind: "success" });
    expect(await last.next()).toBeUndefined();
    expect(
      server.asked().flatMap(({ status }) => (status === undefined || status === 200 ? [] : [status])),
    ).toEqual([]);
    const store = await createJsonlRepository({ folder: join(home, "data", "sessions") }).open("s");
    const context = await Context.open({ store, whole: true });
    const messages = context.messages();
    const asked = messages.flatMap((message) =>
      message.type === 3
        ? message.content.flatMap((block) => (block.type === "toolCall" ? [block.callId] : []))
        : [],
    );
    const answered = messages.flatMap((message) => (message.type === 4 ? [message.callId] : []));
    expect(answered.toSorted()).toEqual(asked.toSorted());
    expect(context.journalState).toEqual({ open: undefined, problems: [] });
    await context.close();
  });
});

/** Resumes the session once whoever had it has let go. */
async function startWhenFree(start: (task: ProcessTask) => AgentProcess): Promise<AgentProcess> {
  for (;;) {
    const process = start({ open: { session: { resume: "s" } }, prompt: "work" });
    const { session } = (await process.next()) ?? {};
    if (session === "s") return process;
  }
}

describe("two processes on one session", () => {
  it("are one writer: the other is told who, takes it over after a kill, and no line is mixed or lost", async () => {
    const { server, start, home } = await lab();
    const first = start({ open: { model: "ollama/ok", session: { id: "s" } }, prompt: "dwell" });
    await first.next();
    while (server.asked().length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const second = start({ open: { session: { resume: "s" } }, prompt: "talk" });
    expect(await second.next()).toMatchObject({
      failed: { kind: "locked", message: expect.stringContaining(String(first.child.pid)) },
    });
    await first.kill("SIGKILL");
    for (let round = 0; round < 2; round += 1) {
      const next = start({ open: { session: { resume: "s" } }, prompt: "talk" });
      expect(await next.next()).toEqual({ session: "s" });
      expect(await next.next()).toMatchObject({ kind: "success" });
      expect(await next.next()).toBeUndefined();
    }
    const text = await readFile(join(home, "data", "sessions", "s.jsonl"), "utf8");
    const lines: readonly unknown[] = text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const entries = lines.filter(isSessionEntry);
    expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
    const said = entries.flatMap(({ message }) => (message === undefined ? [] : [message.type]));
    expect(said).toEqual([2, 2, 3, 2, 3]);
  });
});

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

interface StoredEntry {
  readonly id: string;
  readonly seq: number;
  readonly message?: { readonly type: number };
}

function isSessionEntry(line: unknown): line is StoredEntry {
  return typeof line === "object" && line !== null && "id" in line && "seq" in line && "kind" in line;
}
