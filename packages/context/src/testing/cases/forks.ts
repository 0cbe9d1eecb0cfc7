import { Context } from "../../context.js";
import { NO_USAGE } from "../../usage.js";
import { expectRefusal, expectSame } from "../expectation.js";
import type { StoreConformanceCase } from "../fixture.js";
import { assistant, reopened, storedEntries, textsOf, user, written } from "../session-kit.js";

const source = (context: Context): void => {
  context.append(user("a"));
  context.append(assistant("A"));
  context.label(0, "start");
  context.append(user("left"));
  context.label(2, "on the branch that was left");
  context.journal({ type: "operation_started", operation: "o", purpose: "run" });
  context.journal({ type: "usage", cause: "assistant", usage: { ...NO_USAGE, inputTokens: 5 } });
  context.moveLane("side", context.leaf);
  context.rollback(2);
  context.append(user("b"));
  context.edit(0, user("edited"));
  context.rename("named");
};

export const forkCases: readonly StoreConformanceCase[] = [
  {
    name: "a branch forks with its name and its labels, renumbered, without journal and usage",
    why: "A fork is a new session: it must not resume what its source was doing.",
    run: async ({ repository }) => {
      const id = await written(repository, source, { cwd: "/p" });
      const fork = await repository.fork(id);
      expectSame("its folder and parent", ["/p", id], [fork.cwd, fork.parent?.session]);
      await reopened(repository, fork.id, (context) => {
        expectSame("the texts", ["edited", "A", "b"], textsOf(context));
        expectSame("its name and labels", ["named", "start"], [context.name, ...context.labels.values()]);
        expectSame("what it spent", [0, undefined], [context.stats.requests, context.journalState.open]);
        expectSame("its lanes", ["main"], [...context.lanes.keys()]);
      });
      const seqs = (await storedEntries(repository, fork.id)).map(({ seq }) => seq);
      expectSame(
        "the numbers",
        seqs.map((_, index) => index + 1),
        seqs,
      );
    },
  },
  {
    name: "the whole tree forks with its lanes and branches",
    why: "A copy for keeping has everything but the journal.",
    run: async ({ repository }) => {
      const id = await written(repository, source);
      const fork = await repository.fork(id, { scope: "tree", id: "copy" });
      expectSame("its id", "copy", fork.id);
      await reopened(repository, "copy", (context) => {
        expectSame("the texts", ["edited", "A", "b"], textsOf(context));
        expectSame("its lanes", ["main", "side"], [...context.lanes.keys()].sort());
        expectSame("its labels", 2, context.labels.size);
        expectSame("what it spent", 0, context.stats.requests);
      });
      const side = await Context.open({ store: await repository.open("copy"), lane: "side" });
      expectSame("the lane's texts", ["a", "A", "left"], textsOf(side));
      await side.close();
    },
  },
  {
    name: "a fork before or at an entry leaves the source as it was, and both go their own way",
    why: "Trying something else is what forks are for.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        for (const text of ["a", "b", "c"]) context.append(user(text), { merge: false });
      });
      const before = await storedEntries(repository, id);
      const entry = before[1]?.id ?? "";
      const until = await repository.fork(id, { entry, position: "before" });
      const upTo = await repository.fork(id, { entry });
      expectSame("the fork before it", ["a"], await reopened(repository, until.id, textsOf));
      expectSame("the fork at it", ["a", "b"], await reopened(repository, upTo.id, textsOf));
      await reopened(repository, upTo.id, (context) => context.append(user("other")));
      expectSame("the source", before, await storedEntries(repository, id));
      expectSame("where it came from", entry, upTo.parent?.entry);
    },
  },
  {
    name: "a fork of a compacted session shows the same",
    why: "Forks are made most often from long sessions.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        for (const text of ["a", "b", "c"]) {
          context.append(user(text));
          context.append(assistant(text));
        }
        context.compact({ firstKept: 4, summary: user("sum") });
        context.append(user("d"));
      });
      const fork = await repository.fork(id);
      expectSame("the texts", ["sum", "c", "c", "d"], await reopened(repository, fork.id, textsOf));
    },
  },
  {
    name: "a fork to nowhere, of nothing, or onto an id that is taken is refused and leaves nothing behind",
    why: "Half a fork looks like a session.",
    run: async ({ repository }) => {
      const id = await written(repository, source, { id: "one" });
      await expectRefusal("an entry that is not there", "usage", () =>
        repository.fork(id, { entry: "nowhere" }),
      );
      await expectRefusal("an end for a tree", "usage", () =>
        repository.fork(id, { scope: "tree", entry: "x" }),
      );
      await expectRefusal("a source that is not there", "missing", () => repository.fork("nowhere"));
      await expectRefusal("an id that is taken", "exists", () => repository.fork(id, { id: "one" }));
      expectSame(
        "the sessions",
        ["one"],
        (await repository.list()).map((info) => info.id),
      );
    },
  },
];
