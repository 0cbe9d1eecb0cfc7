import fc from "fast-check";
import { expect, it } from "vitest";
import { KnownIds } from "../../src/session/known-ids.js";

it("knows what was added, in whatever order, and nothing else", () => {
  const ids = fc.array(fc.string({ maxLength: 3 }), { maxLength: 60 });
  fc.assert(
    fc.property(ids, ids, fc.boolean(), (added, asked, inOrder) => {
      const known = new KnownIds();
      const model = new Set<string>();
      for (const id of inOrder ? added.toSorted() : added) {
        known.add(id);
        model.add(id);
        for (const each of [id, ...asked]) expect(known.has(each)).toBe(model.has(each));
      }
    }),
  );
});
