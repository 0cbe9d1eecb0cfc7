import { Context, type ContextItem, createMemoryStore, isMessage, messageUser } from "@ashlar/context";
import fc from "fast-check";
import { expect, it } from "vitest";
import { NaiveContext } from "./naive-context.js";

/** Positions are numbers that a context of any length can turn into valid ones. */
const position = fc.nat({ max: 50 });
const text = fc.constantFrom("a", "b\n", "c");
const blocks = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("text" as const), text }),
    fc.record({ type: fc.constant("thinking" as const), text }),
    fc.record({ type: fc.constant("thinking" as const), text, signature: text }),
    fc.record({ type: fc.constant("image" as const), content: fc.constant("aGk=") }),
  ),
  { minLength: 1, maxLength: 3 },
);
const item: fc.Arbitrary<ContextItem> = fc.oneof(
  fc.record({ type: fc.constantFrom(1 as const, 2 as const), content: blocks }),
  fc.record({ type: fc.constant(3 as const), content: blocks }),
  fc.record({ type: fc.constant(2 as const), content: blocks, worker: text }),
  fc.record({ type: fc.constant("note"), text }),
);

type Command =
  | { readonly do: "append"; readonly item: ContextItem; readonly merge: boolean }
  | { readonly do: "prepend"; readonly item: ContextItem }
  | { readonly do: "edit"; readonly item: ContextItem; readonly position: number }
  | { readonly do: "remove"; readonly positions: readonly number[] }
  | { readonly do: "rollback" | "pop"; readonly position: number }
  | { readonly do: "undo" | "redo" | "seal" }
  | { readonly do: "update"; readonly commands: readonly Command[]; readonly keep: boolean };

const append = fc.record({ do: fc.constant("append" as const), item, merge: fc.boolean() });
const change: fc.Arbitrary<Command> = fc.oneof(
  { weight: 4, arbitrary: append },
  fc.record({ do: fc.constant("prepend" as const), item }),
  fc.record({ do: fc.constant("edit" as const), item, position }),
  fc.record({ do: fc.constant("remove" as const), positions: fc.array(position, { maxLength: 3 }) }),
  fc.record({ do: fc.constantFrom("rollback" as const, "pop" as const), position }),
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 6, arbitrary: change },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constantFrom("undo" as const, "redo" as const, "seal" as const) }),
  },
  fc.record({
    do: fc.constant("update" as const),
    commands: fc.array(change, { maxLength: 4 }),
    keep: fc.boolean(),
  }),
);

/** What an edit keeps of these items: messages lose their metadata. */
function rebuilt(edited: ContextItem): ContextItem {
  return isMessage(edited) && edited.worker !== undefined ? messageUser(edited.content) : edited;
}

function run(context: Context, model: NaiveContext, step: Command): void {
  const { length } = context;
  switch (step.do) {
    case "append":
      context.append(step.item, { merge: step.merge });
      model.append(step.item, step.merge);
      return;
    case "prepend":
      context.prepend(step.item);
      model.prepend(step.item);
      return;
    case "edit":
      if (length === 0) return;
      context.edit(step.position % length, step.item);
      model.edit(step.position % length, rebuilt(step.item));
      return;
    case "remove": {
      const positions = length === 0 ? [] : step.positions.map((value) => value % length);
      context.remove(positions);
      model.remove(positions);
      return;
    }
    case "rollback":
    case "pop": {
      if (length === 0) return;
      const target = step.do === "pop" ? length - 1 : step.position % length;
      if (step.do === "pop") expect(context.pop()).toEqual(model.items.at(-1));
      else context.rollback(target);
      model.rollback(target);
      return;
    }
    case "undo":
      expect(context.undo()).toBe(model.undo());
      return;
    case "redo":
      expect(context.redo()).toBe(model.redo());
      return;
    case "seal":
      context.seal();
      model.seal();
      return;
    case "update":
      model.update(() => {
        context.update(() => {
          for (const inner of step.commands) run(context, model, inner);
          return step.keep;
        });
        return step.keep;
      });
  }
}

it("shows what a plain array under the same rules shows, after any sequence of changes", () => {
  fc.assert(
    fc.property(fc.array(command, { maxLength: 30 }), (commands) => {
      const context = new Context();
      const model = new NaiveContext();
      for (const step of commands) {
        run(context, model, step);
        expect(context.items()).toEqual(model.items);
      }
    }),
    { numRuns: 1000 },
  );
});

it("comes back from its store as it was, with undo and redo where they stood", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 20 }), async (commands) => {
      const store = createMemoryStore();
      const context = new Context({ store });
      const model = new NaiveContext();
      for (const step of commands) run(context, model, step);
      await context.flush();
      const again = await Context.open({ store });
      expect(again.items()).toEqual(context.items());
      for (const reason of ["undo", "undo", "redo", "undo", "redo", "redo"] as const) {
        expect(again[reason]()).toBe(context[reason]());
        expect(again.items()).toEqual(context.items());
      }
    }),
    { numRuns: 300 },
  );
});

it("returns to the same states by undo, and forth again by redo", () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 20 }), (commands) => {
      const context = new Context();
      const model = new NaiveContext();
      for (const step of commands) run(context, model, step);
      const end = context.items();
      let steps = 0;
      while (context.undo()) steps += 1;
      expect(context.items()).toEqual([]);
      while (steps > 0 && context.redo()) steps -= 1;
      expect(context.items()).toEqual(end);
      expect(context.redo()).toBe(false);
    }),
  );
});
