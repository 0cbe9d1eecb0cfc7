import type { Context } from "../../context.js";
import { expectRefusal, expectSame, expectThat } from "../expectation.js";
import type { StoreConformanceCase } from "../fixture.js";
import { assistant, calling, reopened, result, textsOf, user, written } from "../session-kit.js";

const talk = (context: Context): void => {
  for (const text of ["a", "b", "c"]) {
    context.append(user(text));
    context.append(assistant(text.toUpperCase()));
  }
};

export const conversationCases: readonly StoreConformanceCase[] = [
  {
    name: "edits, removals and prepends are there again",
    why: "A secret that was edited out must not come back with the next start.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        talk(context);
        context.edit(0, user("edited"));
        context.remove([2, 3]);
        context.prepend({ type: 1, content: [{ type: "text", text: "system" }] });
      });
      const came = await reopened(repository, id, textsOf);
      expectSame("the texts", ["system", "edited", "A", "c", "C"], came);
    },
  },
  {
    name: "a rollback is there again, and so is what undo brings back",
    why: "The way back is kept, not only the place.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        talk(context);
        context.rollback(2);
        context.append(user("other"));
      });
      await reopened(repository, id, (context) => {
        expectSame("the texts", ["a", "A", "other"], textsOf(context));
        context.undo();
        context.undo();
        expectSame("the texts after undo", ["a", "A", "b", "B", "c", "C"], textsOf(context));
      });
      const came = await reopened(repository, id, textsOf);
      expectSame("the texts after undo and another start", ["a", "A", "b", "B", "c", "C"], came);
    },
  },
  {
    name: "several changes that were made as one are undone as one after another start",
    why: "Half an edit is a conversation nobody had.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        talk(context);
        context.update((same) => {
          same.edit(0, user("x"));
          same.remove([1]);
          return true;
        });
      });
      await reopened(repository, id, (context) => {
        context.undo();
        expectSame("the texts", ["a", "A", "b", "B", "c", "C"], textsOf(context));
      });
    },
  },
  {
    name: "a compacted session shows its summary and its tail, twice compacted too",
    why: "What was summarised must neither come back nor be lost.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        context.append({ type: 1, content: [{ type: "text", text: "system" }] });
        talk(context);
        context.edit(1, user("edited"));
        context.compact({ firstKept: 5, summary: user("sum 1"), details: { files: ["f"] } });
        context.append(user("d"));
        context.append(assistant("D"));
        context.compact({ firstKept: 4, summary: user("sum 2") });
        context.append(user("e"), { merge: false });
      });
      const expected = ["system", "sum 2", "d", "D", "e"];
      await reopened(repository, id, (context) => {
        expectSame("the texts", expected, textsOf(context));
        context.rollback(4);
        context.append(user("f"));
      });
      const came = await reopened(repository, id, textsOf);
      expectSame("the texts after a rollback", ["system", "sum 2", "d", "D", "f"], came);
    },
  },
  {
    name: "a branch that was left is summarised on the new one and can be gone back to",
    why: "Branches are there to be compared.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        talk(context);
        const left = context.leaf ?? "";
        context.rollback(2);
        context.addBranchSummary({ from: left, message: user("tried b and c") });
      });
      await reopened(repository, id, (context) => {
        expectSame("the texts", ["a", "A", "tried b and c"], textsOf(context));
        const [summary] = context.entries({ kinds: ["summary"] });
        context.moveTo(summary?.kind === "summary" ? summary.from : null);
        expectSame("the other branch", ["a", "A", "b", "B", "c", "C"], textsOf(context));
      });
    },
  },
  {
    name: "what was stored is sealed: a new message never merges into it",
    why: "The prefix of the next request must stay as it was, byte for byte.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => context.append(user("one")));
      await reopened(repository, id, (context) => {
        context.append(user("two"));
        expectSame("the texts", ["one", "two"], textsOf(context));
      });
      expectSame("the texts", ["one", "two"], await reopened(repository, id, textsOf));
    },
  },
  {
    name: "each call takes one result, before and after another start",
    why: "A request with a call that has no result, or two, is refused by every strict server.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        context.append(user("go"));
        context.append(calling("k1", "k2"));
        context.append(result("k1"));
      });
      await reopened(repository, id, async (context) => {
        await expectRefusal("a second result", "usage", () => context.append(result("k1")));
        await expectRefusal("a result without a call", "usage", () => context.append(result("k9")));
        context.append(result("k2"));
      });
      await reopened(repository, id, async (context) => {
        expectThat(context.length === 4, "4 items", context.length);
        await expectRefusal("a second result", "usage", () => context.append(result("k2")));
      });
    },
  },
  {
    name: "a long conversation of small messages that merged comes back with the same positions",
    why: "Positions are how everything outside addresses a message.",
    run: async ({ repository }) => {
      let shown: readonly string[] = [];
      const id = await written(repository, (context) => {
        for (let index = 0; index < 200; index += 1) {
          context.append(index % 3 === 0 ? assistant(`a${index}`) : user(`u${index}`));
          if (index % 10 === 0) context.seal();
          if (index % 25 === 24) context.edit(-1, user(`e${index}`));
          if (index % 40 === 39) context.rollback(-2);
        }
        shown = textsOf(context);
      });
      expectSame("the texts", shown, await reopened(repository, id, textsOf));
    },
  },
];
