import { expectRefusal, expectSame, expectThat } from "../expectation.js";
import type { StoreConformanceCase } from "../fixture.js";
import { assistant, collect, reopened, textsOf, user, withStore, written } from "../session-kit.js";

export const repositoryCases: readonly StoreConformanceCase[] = [
  {
    name: "a session is created, found, listed and opened",
    why: "A session that cannot be found is lost.",
    run: async ({ repository }) => {
      const settings = { model: "ollama/qwen", deep: [{ a: null }], long: "é ".repeat(50_000) };
      const id = await written(repository, (context) => context.append(user("hello there")), {
        cwd: "/p",
        settings,
      });
      const info = await repository.find(id);
      expectSame(
        "what is found",
        [id, "/p", settings, "hello there"],
        [info.id, info.cwd, info.settings, info.preview],
      );
      expectThat(info.created > 0 && info.updated >= info.created, "times", info);
      expectSame("the list", [info], await repository.list());
      const opened = await reopened(repository, id, (context, store) => [
        context.id,
        store.info.id,
        ...textsOf(context),
      ]);
      expectSame("what is opened", [id, id, "hello there"], opened);
    },
  },
  {
    name: "a session that was made elsewhere keeps its time",
    why: "What is moved from one store to another is as old as it was.",
    run: async ({ repository }) => {
      const created = 1_700_000_000_000;
      const id = await written(repository, () => undefined, { created });
      const { created: kept, updated } = await repository.find(id);
      expectSame("the times of the new session", [created, created], [kept, updated]);
    },
  },
  {
    name: "a session without entries is there as well",
    why: "A host may keep settings before the first word.",
    run: async ({ repository }) => {
      const id = await written(repository, () => undefined);
      expectSame(
        "the list",
        [id],
        (await repository.list()).map((info) => info.id),
      );
      expectSame("the items", [], await reopened(repository, id, textsOf));
    },
  },
  {
    name: "an id that is taken is refused, and so is one that could be a path",
    why: "Two sessions under one name overwrite each other; `../x` leaves the folder.",
    run: async ({ repository }) => {
      await written(repository, () => undefined, { id: "a_b" });
      await expectRefusal("an id that is taken", "exists", () => repository.create({ id: "a_b" }));
      for (const id of ["", "..", "../x", "a/b", "a\\b", "-a", ".a", "a.", "a b", "a\n", "x".repeat(65)]) {
        await expectRefusal(`the id ${JSON.stringify(id)}`, "usage", () => repository.create({ id }));
      }
      await written(repository, () => undefined, { id: "b" });
      expectSame("the ids", ["a_b", "b"], (await repository.list()).map(({ id }) => id).sort());
    },
  },
  {
    name: "a prefix opens the one session that has it",
    why: "Nobody types 36 characters, and nobody wants to write into the wrong session.",
    run: async ({ repository }) => {
      for (const id of ["abc1", "abc2", "abx", "ab"]) await written(repository, () => undefined, { id });
      expectSame("abx by its prefix", "abx", (await repository.find("abx")).id);
      expectSame("an id that is a prefix of others", "ab", (await repository.find("ab")).id);
      const opened = await repository.open("abc1");
      expectSame("abc1", "abc1", opened.info.id);
      await opened.close();
      await expectRefusal("a prefix of two", "ambiguous", () => repository.find("abc"));
      await expectRefusal("a prefix of none", "missing", () => repository.open("zz"));
      await expectRefusal("nothing", "missing", () => repository.find(""));
    },
  },
  {
    name: "the list is newest first, bounded, and by folder",
    why: "The session people look for is the one they just left.",
    run: async ({ repository }) => {
      for (const [id, cwd] of [
        ["s1", "/p"],
        ["s2", "/q"],
        ["s3", "/p"],
      ] as const) {
        await written(repository, (context) => context.append(user(id)), { id, cwd });
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await reopened(repository, "s1", (context) => context.append(assistant("later")));
      const ids = async (options?: Parameters<typeof repository.list>[0]) =>
        (await repository.list(options)).map(({ id }) => id);
      expectSame("all", ["s1", "s3", "s2"], await ids());
      expectSame("two", ["s1", "s3"], await ids({ limit: 2 }));
      expectSame("those of /p", ["s1", "s3"], await ids({ cwd: "/p" }));
      expectSame("those of nowhere", [], await ids({ cwd: "/nowhere" }));
      expectSame("the latest of /q", "s2", (await repository.latest({ cwd: "/q" }))?.id);
      expectSame("the latest of nowhere", undefined, await repository.latest({ cwd: "/nowhere" }));
      await expectRefusal("a limit of 0", "usage", () => repository.list({ limit: 0 }));
    },
  },
  {
    name: "the last name counts, null takes it away, and the list knows",
    why: "A name is how people find a session again.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        context.rename("first");
        for (let index = 0; index < 400; index += 1)
          context.append(user(`${index} ${"x".repeat(500)}`), { merge: false });
      });
      expectSame("the name", "first", (await repository.find(id)).name);
      await repository.rename(id, "second");
      expectSame("the name in the list", "second", (await repository.list())[0]?.name);
      expectSame(
        "the name of the conversation",
        "second",
        await reopened(repository, id, ({ name }) => name),
      );
      await repository.rename(id, null);
      expectSame("the name", undefined, (await repository.find(id)).name);
      await expectRefusal("a rename of nothing", "missing", () => repository.rename("nowhere", "x"));
    },
  },
  {
    name: "labels are there again; the last one counts",
    why: "A label marks the place to go back to.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => {
        context.append(user("a"));
        context.append(assistant("b"));
        context.label(0, "start");
        context.label(1, "gone");
        context.label(0, "begin");
        context.label(1, null);
      });
      const labels = await reopened(repository, id, (context) => [...context.labels.values()]);
      expectSame("the labels", ["begin"], labels);
    },
  },
  {
    name: "delete takes one session away, and says when there is none",
    why: "Clearing up twice is not a mistake.",
    run: async ({ repository }) => {
      const id = await written(repository, (context) => context.append(user("x")), { id: "gone" });
      await written(repository, () => undefined, { id: "gone-too" });
      expectSame("the first delete", true, await repository.delete(id));
      expectSame("the second delete", false, await repository.delete(id));
      expectSame(
        "what is left",
        ["gone-too"],
        (await repository.list()).map((info) => info.id),
      );
      await expectRefusal("the session", "missing", () => repository.find("gone-" + "x"));
      await written(repository, () => undefined, { id });
      expectSame("a new one of the same id", [], await reopened(repository, id, textsOf));
    },
  },
  {
    name: "search finds short words, CJK and any case, best first and bounded",
    why: "People search for `io` and for 漢字 as well as for sentences.",
    run: async ({ repository }) => {
      const long = await written(repository, (context) => {
        context.append(user(`${"filler ".repeat(2_000)} the Io layer ${"more ".repeat(2_000)}`));
        context.append(assistant("これは漢字の文です"));
      });
      const short = await written(repository, (context) => context.append(user("IO layer")), { cwd: "/p" });
      const search = async (text: string, options?: Parameters<typeof repository.search>[1]) =>
        collect(repository.search(text, options));
      const hits = await search("io LAYER");
      expectSame(
        "the sessions",
        [short, long],
        hits.map(({ session }) => session),
      );
      const snippet = hits[1]?.snippet ?? "";
      expectThat(
        snippet.includes("Io layer") && snippet.length <= 200,
        "a snippet around the words",
        snippet,
      );
      expectSame(
        "CJK",
        [long],
        (await search("漢字")).map(({ session }) => session),
      );
      expectSame(
        "one character",
        [long],
        (await search("漢")).map(({ session }) => session),
      );
      expectSame("a limit", 1, (await search("layer", { limit: 1 })).length);
      expectSame(
        "a folder",
        [short],
        (await search("layer", { cwd: "/p" })).map(({ session }) => session),
      );
      expectSame("nothing for a blank", [], await search("  "));
      expectSame("nothing for what is not there", [], await search("io zebra"));
      await expectRefusal("a limit of 0", "usage", () => search("io", { limit: 0 }));
    },
  },
  {
    name: "search ends when it is cancelled",
    why: "People type on while it runs.",
    run: async ({ repository }) => {
      await written(repository, (context) => context.append(user("word")));
      const reason = new Error("typed on");
      let came: unknown;
      try {
        await collect(repository.search("word", { signal: AbortSignal.abort(reason) }));
      } catch (error) {
        came = error;
      }
      expectThat(came === reason, "the reason of the signal", came);
    },
  },
  {
    name: "a session that was opened for reading takes nothing",
    why: "A viewer must not be able to change what it shows.",
    run: async ({ repository }) => {
      const id = await withStore(repository, async ({ info }) => info.id);
      const store = await repository.open(id, { readonly: true });
      const write = () => store.append([{ id: "n", seq: 1, parent: null, at: 1, kind: "name", name: "x" }]);
      await expectRefusal("an append", "readonly", write);
      await store.close();
    },
  },
];
