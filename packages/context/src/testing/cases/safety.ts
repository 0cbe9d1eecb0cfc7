import { Context } from "../../context.js";
import type { SessionRepository } from "../../session/repository.js";
import { isSessionError } from "../../session/session-error.js";
import { expectRefusal, expectSame, expectThat } from "../expectation.js";
import type { StoreConformanceCase } from "../fixture.js";
import {
  assistant,
  entry,
  reopened,
  storedEntries,
  textsOf,
  user,
  withStore,
  written,
} from "../session-kit.js";

async function lockOf(repository: SessionRepository, id: string): Promise<unknown> {
  try {
    await (await repository.open(id)).close();
    return "it was opened";
  } catch (error) {
    return isSessionError(error) && error.kind === "locked" ? error.details : error;
  }
}

export const safetyCases: readonly StoreConformanceCase[] = [
  {
    name: "a session has one writer at a time, in one process too, and may be read meanwhile",
    why: "Two writers with the same leaf in memory write two histories into one file.",
    run: async ({ repository }) => {
      const store = await repository.create();
      await store.append([entry(1)]);
      const details = await lockOf(repository, store.info.id);
      expectThat(
        typeof details === "object" && details !== null && "since" in details,
        "a lock that says since when",
        details,
      );
      await expectRefusal("a delete meanwhile", "locked", () => repository.delete(store.info.id));
      expectSame("what a reader sees", 1, (await storedEntries(repository, store.info.id)).length);
      await store.append([entry(2)]);
      await store.close();
      await reopened(repository, store.info.id, ({ length }) => expectSame("the items", 1, length));
    },
  },
  {
    name: "a second process gets the lock error, and the session once it is free",
    why: "Two terminals on one session is an everyday mistake.",
    needs: ["openSecond"],
    run: async ({ repository, openSecond }) => {
      const second = await openSecond?.();
      if (second === undefined) return;
      const store = await repository.create({ id: "shared" });
      await store.append([entry(1)]);
      const details = await lockOf(second, "shared");
      expectThat(
        typeof details === "object" && details !== null && "pid" in details,
        "a lock that names its owner",
        details,
      );
      await expectRefusal("a rename meanwhile", "locked", () => second.rename("shared", "x"));
      await store.append([entry(2)]);
      await store.close();
      const other = await second.open("shared");
      await other.append([entry(3)]);
      await other.close();
      expectSame(
        "the entries",
        [1, 2, 3],
        (await storedEntries(repository, "shared")).map(({ seq }) => seq),
      );
    },
  },
  {
    name: "what was committed is there after a crash, nothing is invented, and the dead owner's lock does not hold",
    why: "People kill processes.",
    needs: ["crash"],
    run: async ({ repository, crash }) => {
      const store = await repository.create({ id: "killed" });
      const context = await Context.open({ store });
      context.append(user("a"));
      context.append(assistant("b"));
      await context.flush();
      context.edit(0, user("edited"));
      context.compact({ firstKept: 1, summary: user("sum") });
      await context.flush({ durable: true });
      context.append(user("never committed"));
      const after = await crash?.();
      if (after === undefined) return;
      await reopened(after, "killed", (again) => {
        expectSame("the texts", ["sum", "b"], textsOf(again));
        again.append(user("goes on"));
      });
      expectSame("the texts", ["sum", "b", "goes on"], await reopened(after, "killed", textsOf));
      await context.close();
    },
  },
  {
    name: "a damaged entry is reported with its place and hides nothing else",
    why: "One bad line used to hide days of history.",
    needs: ["damage"],
    run: async ({ repository, damage }) => {
      const id = await written(repository, (context) => {
        for (const text of ["a", "b", "c", "d"]) context.append(user(text), { merge: false });
      });
      await damage?.(id, 2);
      await reopened(repository, id, (context, store) => {
        expectSame("the texts", ["a", "c", "d"], textsOf(context));
        const [first] = store.damage;
        expectThat(
          first !== undefined && first.at !== "" && first.message.includes(first.at),
          "damage with a place",
          store.damage,
        );
      });
    },
  },
  {
    name: "a damaged session can be added to, and shows the same history at every later start",
    why: "Damage must not spread.",
    needs: ["damage"],
    run: async ({ repository, damage }) => {
      const id = await withStore(repository, async (store) => {
        await store.append([entry(1), entry(2), entry(3)]);
        return store.info.id;
      });
      for (const seq of [1, 3]) await damage?.(id, seq);
      await reopened(repository, id, (context) => context.append(user("new"), { merge: false }));
      const first = await reopened(repository, id, textsOf);
      expectSame("the texts", ["text 2", "new"], first);
      expectSame("the texts again", first, await reopened(repository, id, textsOf));
    },
  },
];
