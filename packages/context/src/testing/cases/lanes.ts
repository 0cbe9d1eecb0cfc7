import { Context } from "../../context.js";
import { expectRefusal, expectSame } from "../expectation.js";
import type { StoreConformanceCase } from "../fixture.js";
import { reopened, textsOf, user, written } from "../session-kit.js";

export const laneCases: readonly StoreConformanceCase[] = [
  {
    name: "main exists in a session without entries",
    why: "There is always a place to write to.",
    run: async ({ repository }) => {
      const id = await written(repository, () => undefined);
      await reopened(repository, id, (context) => {
        expectSame("the lanes", [["main", null]], [...context.lanes]);
      });
    },
  },
  {
    name: "lanes share one tree and keep their own leaf",
    why: "An experiment on a lane must not show up in the main conversation.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        context.append(user("root"));
        context.moveLane("side", context.leaf);
        context.append(user("main only"), { merge: false });
      });
      const store = await repository.open(id);
      const side = await Context.open({ store, lane: "side" });
      expectSame("the lane's texts", ["root"], textsOf(side));
      side.append(user("side only"));
      await side.close();
      await reopened(repository, id, (context) => {
        expectSame("the main texts", ["root", "main only"], textsOf(context));
        expectSame("the lanes", ["main", "side"], [...context.lanes.keys()].sort());
      });
    },
  },
  {
    name: "a lane can be moved, only to what is there",
    why: "A lane that points nowhere cannot be opened.",
    run: async ({ repository }) => {
      let root: string | null = null;
      const id = await written(repository, (context) => {
        context.append(user("root"));
        root = context.leaf;
        context.append(user("more"), { merge: false });
        context.moveLane("side", context.leaf);
        context.moveLane("side", root);
      });
      await reopened(repository, id, async (context) => {
        expectSame("where the lane is", root, context.lanes.get("side"));
        await expectRefusal("a target that is not there", "usage", () => context.moveLane("side", "nowhere"));
        await expectRefusal("a lane without a name", "usage", () => context.moveLane("", root));
      });
    },
  },
];
