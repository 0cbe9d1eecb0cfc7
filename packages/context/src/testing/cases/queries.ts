import type { LogQuery } from "../../session/log-query.js";
import { expectRefusal, expectSame } from "../expectation.js";
import type { StoreConformanceCase } from "../fixture.js";
import { collect, entry, reopened, user, withStore, written } from "../session-kit.js";

const LOG = [
  entry(1),
  entry(2, { lane: "side", parent: "e1" }),
  { id: "n", seq: 3, parent: "e1", at: 3, kind: "name", name: "x" } as const,
  entry(4, { parent: "e1" }),
  entry(5, { lane: "side", parent: "e2" }),
];

const queries: readonly { readonly query: LogQuery; readonly seqs: readonly number[] }[] = [
  { query: {}, seqs: [1, 2, 3, 4, 5] },
  { query: { kinds: ["message"] }, seqs: [1, 2, 4, 5] },
  { query: { kinds: ["name", "label"] }, seqs: [3] },
  { query: { kinds: [] }, seqs: [] },
  { query: { lane: "side" }, seqs: [2, 5] },
  { query: { lane: "main" }, seqs: [1, 3, 4] },
  { query: { afterSeq: 2 }, seqs: [3, 4, 5] },
  { query: { afterSeq: 5 }, seqs: [] },
  { query: { limit: 2 }, seqs: [1, 2] },
  { query: { lane: "side", limit: 2 }, seqs: [2, 5] },
  { query: { afterSeq: 1, kinds: ["message"], lane: "side", limit: 1 }, seqs: [2] },
];

export const queryCases: readonly StoreConformanceCase[] = [
  {
    name: "a log query filters by kind, lane and seq, oldest first, up to its limit",
    why: "Resume reads only what it has not seen.",
    run: async ({ repository }) => {
      await withStore(repository, async (store) => {
        await store.append(LOG);
        for (const { query, seqs } of queries) {
          const came = await collect(store.read(query));
          expectSame(
            `the entries of ${JSON.stringify(query)}`,
            seqs,
            came.map(({ seq }) => seq),
          );
        }
      });
    },
  },
  {
    name: "a query that makes no sense is refused, also on an empty session",
    why: "A limit of 0 that silently means all, or nothing, hides a mistake.",
    run: async ({ repository }) => {
      await withStore(repository, async (store) => {
        const unknownKind = JSON.parse('["hologram"]');
        for (const query of [
          { limit: 0 },
          { limit: 1.5 },
          { afterSeq: -1 },
          { lane: "" },
          { kinds: unknownKind },
        ]) {
          await expectRefusal(JSON.stringify(query), "usage", () => collect(store.read(query)));
        }
      });
    },
  },
  {
    name: "a branch is walked with cursors, filters and stops after it was stored",
    why: "A tree view shows a page at a time.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        for (const text of ["a", "b", "c", "d"]) context.append(user(text), { merge: false });
        context.addCustom("mark", 1);
        context.append(user("e"), { merge: false });
      });
      await reopened(repository, id, async (context) => {
        const all = context.entries().map(({ id: own }) => own);
        const [newest, mark, d, , b] = all;
        const ids = (query: Parameters<typeof context.entries>[0]) =>
          context.entries(query).map(({ id: own }) => own);
        expectSame("the whole branch", 6, all.length);
        expectSame("a page", all.slice(0, 2), ids({ limit: 2 }));
        expectSame(
          "the next page",
          all.slice(2, 4),
          ids({ limit: 2, ...(mark === undefined ? {} : { after: mark }) }),
        );
        expectSame("oldest first", all.toReversed(), ids({ order: "oldest" }));
        expectSame("custom entries", [mark], ids({ kinds: ["custom"], customName: "mark" }));
        expectSame("up to a kind", [newest, mark], ids({ stopAtKind: "custom" }));
        expectSame("up to an entry", all.slice(0, 5), ids(b === undefined ? {} : { stopAt: b }));
        expectSame("from an entry", all.slice(2), ids(d === undefined ? {} : { from: d }));
        await expectRefusal("a stop that is not on the branch", "usage", () => ids({ stopAt: "nowhere" }));
      });
    },
  },
];
