import type { UsageReported } from "../../session/journal.js";
import { expectRefusal, expectSame } from "../expectation.js";
import type { StoreConformanceCase } from "../fixture.js";
import { calling, entry, reopened, user, withStore, written } from "../session-kit.js";

const usage = (inputTokens: number, model?: string): UsageReported => ({
  type: "usage",
  cause: "assistant",
  ...(model !== undefined && { model }),
  usage: { inputTokens, outputTokens: 1, source: "provider", cost: 0.5 },
});

export const journalCases: readonly StoreConformanceCase[] = [
  {
    name: "an operation that was not finished is open after another start, with what it had begun",
    why: "Resume must know what ran.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        context.journal({ type: "operation_started", operation: "o1", purpose: "run" });
        context.journal({ type: "step_attempt", operation: "o1", step: 1, attempt: 1 });
        context.journal({ type: "step_attempt", operation: "o1", step: 1, attempt: 2 });
        context.append(user("go"));
        context.append(calling("k1", "k2", "k3"));
        context.journal({
          type: "tool_started",
          operation: "o1",
          callId: "k1",
          name: "write",
          replay: "safe",
        });
        context.journal({
          type: "tool_started",
          operation: "o1",
          callId: "k2",
          name: "write",
          replay: "never",
        });
      });
      await reopened(repository, id, (context) => {
        const { open, problems } = context.journalState;
        expectSame("problems", [], problems);
        expectSame(
          "the open operation",
          ["o1", "run", 1, 2],
          [open?.id, open?.purpose, open?.step, open?.attempt],
        );
        const plan = context.resumePlan(() => "safe");
        expectSame(
          "what may be repeated",
          ["k1", "k3"],
          plan.repeat.map(({ callId }) => callId),
        );
        expectSame(
          "what is closed",
          ["k2"],
          plan.close.map(({ callId }) => callId),
        );
        for (const message of context.resumePlan(() => "never").close) context.append(message);
        expectSame("the items", 5, context.length);
      });
    },
  },
  {
    name: "an operation that was finished is not open; an earlier finish closes no later start",
    why: "A session that is done must not be resumed.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        context.journal({ type: "operation_started", operation: "o1", purpose: "run" });
        context.journal({ type: "operation_finished", operation: "o1", outcome: "completed" });
      });
      await reopened(repository, id, (context) => {
        expectSame("the open operation", undefined, context.journalState.open);
        context.journal({ type: "operation_started", operation: "o2", purpose: "compaction" });
      });
      const open = await reopened(repository, id, (context) => context.journalState.open?.id);
      expectSame("the open operation", "o2", open);
    },
  },
  {
    name: "one operation is open at a time, and what cannot come next is refused",
    why: "A journal that contradicts itself cannot be resumed from.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        context.journal({ type: "operation_started", operation: "o1", purpose: "run" });
      });
      await reopened(repository, id, async (context) => {
        const refused = [
          { type: "operation_started", operation: "o2", purpose: "run" },
          { type: "operation_finished", operation: "o9", outcome: "failed" },
          { type: "step_attempt", operation: "o1", step: 2, attempt: 1 },
        ] as const;
        for (const event of refused)
          await expectRefusal(JSON.stringify(event), "usage", () => context.journal(event));
        expectSame("the open operation", "o1", context.journalState.open?.id);
      });
    },
  },
  {
    name: "statistics add up over branches and starts, and say who answered last",
    why: "What was spent on a branch that was left was spent all the same; a session goes on with its model.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        context.append(user("a"));
        context.journal(usage(10));
        context.rollback(0);
        context.append(user("b"));
        context.journal(usage(20, "lab/two"));
      });
      await reopened(repository, id, (context) => {
        context.journal(usage(30));
        context.journal({ ...usage(0, "lab/small"), cause: "compaction" });
      });
      const stats = await reopened(repository, id, (context) => context.stats);
      const total = { inputTokens: 60, outputTokens: 4, source: "provider", cost: 2 };
      const expected = { messages: 2, requests: 4, usage: total, model: "lab/two" };
      expectSame("the statistics", expected, stats);
    },
  },
  {
    name: "corrupt journal lines are named and the rest counts",
    why: "A damaged line must not make a session impossible to open.",
    run: async ({ repository }) => {
      const id = await withStore(repository, async (store) => {
        const line = { parent: null, at: 1, kind: "journal" } as const;
        await store.append([
          {
            ...line,
            id: "j1",
            seq: 1,
            event: { type: "operation_finished", operation: "o0", outcome: "failed" },
          },
          {
            ...line,
            id: "j2",
            seq: 2,
            event: { type: "operation_started", operation: "o1", purpose: "run" },
          },
          entry(3, { parent: null }),
        ]);
        return store.info.id;
      });
      await reopened(repository, id, (context) => {
        const { open, problems } = context.journalState;
        expectSame("the open operation", "o1", open?.id);
        expectSame(
          "problems",
          [["unknown_operation", "j1"]],
          problems.map(({ reason, entry: at }) => [reason, at]),
        );
      });
    },
  },
];
