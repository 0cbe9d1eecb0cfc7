import {
  Context,
  createMemoryRepository,
  isPathEntry,
  messageAssistant,
  messageUser,
  type SessionInfo,
} from "@ashlar/context";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { branchItems } from "../../src/export/branch-items.js";
import { withBranches } from "../../src/export/session-document.js";
import { depthFirst } from "../../src/sessions/depth-first.js";
import { familiesOf } from "../../src/sessions/family.js";
import { outlineOf } from "../../src/sessions/outline.js";

const action = fc.record({
  do: fc.constantFrom("say", "rollback", "undo", "redo", "lane", "goto", "edit", "remove"),
  at: fc.nat({ max: 20 }),
});

/** A session in which these things were done, and how it stands. */
async function madeBy(actions: readonly { readonly do: string; readonly at: number }[]) {
  const repository = createMemoryRepository();
  const store = await repository.create({ id: "s" });
  const context = await Context.open({ store, whole: true });
  for (const { do: what, at } of actions) {
    const position = context.length === 0 ? undefined : at % context.length;
    if (what === "say" || position === undefined)
      context.append(at % 2 === 0 ? messageUser(`u${at}`) : messageAssistant(`a${at}`), { merge: false });
    else if (what === "rollback") context.rollback(position);
    else if (what === "undo") context.undo();
    else if (what === "redo") context.redo();
    else if (what === "lane") context.moveLane(`lane ${at % 3}`, context.leaf);
    else if (what === "edit") context.edit(position, messageUser(`edited ${at}`));
    else if (what === "remove") context.remove([position]);
    else {
      const known = context.entries();
      const entry = known[at % Math.max(1, known.length)];
      if (entry !== undefined) context.moveTo(entry.id);
    }
  }
  await context.flush();
  const state = {
    branch: context.entries({ order: "oldest" }),
    lanes: context.lanes,
    items: context.items(),
  };
  const entries = await store.load();
  await context.close();
  return { entries, ...state };
}

describe("the outline of a session", () => {
  it("has every entry of a path once, main first, and every lane", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 40 }), async (actions) => {
        const { entries, branch, lanes, items } = await madeBy(actions);
        const { roots } = outlineOf(entries);
        const branches = withBranches(roots);
        expect(branches.flatMap((one) => one.entries.map(({ id }) => id)).toSorted()).toEqual(
          entries
            .filter(isPathEntry)
            .map(({ id }) => id)
            .toSorted(),
        );
        expect(roots[0]?.entries).toEqual(branch);
        expect(roots[0]?.lanes).toContain("main");
        expect(branches.flatMap((one) => one.lanes).toSorted()).toEqual([...lanes.keys()].toSorted());
        expect(branchItems(branch).map(({ item }) => item)).toEqual(items);
      }),
    );
  });

  it("ends where the parents of damaged data form a ring", () => {
    const message = messageUser("x");
    const stamp = { at: 1, kind: "message", message } as const;
    const { roots } = outlineOf([
      { ...stamp, id: "a", seq: 1, parent: "b" },
      { ...stamp, id: "b", seq: 2, parent: "a" },
    ]);
    expect(withBranches(roots).flatMap(({ entries }) => entries)).toHaveLength(2);
  });
});

describe("sessions under those they came from", () => {
  const info = (id: string, parent?: string): SessionInfo => ({
    id,
    created: 1,
    updated: 1,
    ...(parent === undefined ? {} : { parent: { session: parent } }),
  });

  it.each([
    { why: "a chain", infos: [info("c", "b"), info("b", "a"), info("a")], shown: ["a", "  b", "    c"] },
    { why: "a parent that is not here", infos: [info("b", "gone")], shown: ["b"] },
    { why: "a session that came from itself", infos: [info("a", "a")], shown: ["a"] },
    { why: "a ring", infos: [info("a", "b"), info("b", "a"), info("c", "a")], shown: ["a", "  c", "b"] },
  ])("shows $why", ({ infos, shown }) => {
    const lines = Array.from(
      depthFirst(familiesOf(infos), ({ descendants }) => descendants),
      ({ node, depth }) => "  ".repeat(depth) + node.info.id,
    );
    expect(lines).toEqual(shown);
  });
});
