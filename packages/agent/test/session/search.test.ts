import type { SearchHit, SearchOptions, SessionRepository } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { createSqliteRepository } from "@ashlar/session-sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask } from "../support/open-agent.js";
import { type SessionLab, sessionLab } from "../support/session-lab.js";

const stores: readonly { readonly store: string; readonly open: (folder: string) => SessionRepository }[] = [
  { store: "JSONL files", open: (folder) => createJsonlRepository({ folder }) },
  {
    store: "SQLite",
    open: (folder) => {
      const repository = createSqliteRepository({ folder });
      onTestFinished(() => repository.close());
      return repository;
    },
  },
];

describe.each(stores)("search over all sessions in $store", ({ open }) => {
  async function talked(): Promise<SessionLab & { readonly find: Find }> {
    const lab = await sessionLab();
    const repository = open(lab.home);
    const say = async (project: string, id: string, prompts: readonly string[]): Promise<void> => {
      const env = await lab.project(project);
      env.sessionsUse(repository);
      const agent = await lab.open(env, { session: { id } });
      for (const prompt of prompts) await ask(agent, prompt);
      await agent.close();
    };
    await say("one", "roof", ["The roof leaks.", "Ask Io about 屋根の修理, please."]);
    await say("one", "tiles", [`Tiles ${"and more tiles ".repeat(200)} on the roof.`]);
    await say("two", "bridge", ["A bridge with a roof."]);
    return {
      ...lab,
      find: async (project, text, options = {}) => {
        const env = await lab.project(project);
        const hits: SearchHit[] = [];
        for await (const hit of (await env.sessions()).search(text, options)) hits.push(hit);
        return hits;
      },
    };
  }
  type Find = (project: string, text: string, options?: SearchOptions) => Promise<readonly SearchHit[]>;
  const sessions = (hits: readonly SearchHit[]): readonly string[] => hits.map(({ session }) => session);

  it("finds what was said in any project of the user, best first, with little around it", async () => {
    const { find } = await talked();
    const hits = await find("one", "ROOF");
    expect(new Set(sessions(hits))).toEqual(new Set(["roof", "bridge", "tiles"]));
    expect(sessions(hits).at(-1)).toBe("tiles");
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
    for (const { snippet } of hits) {
      expect(snippet.toLowerCase()).toContain("roof");
      expect(snippet.length).toBeLessThan(250);
    }
  });

  it("keeps to one project when it is asked to, and to so many hits", async () => {
    const lab = await talked();
    const { cwd } = await lab.project("two");
    expect(sessions(await lab.find("one", "roof", { cwd }))).toEqual(["bridge"]);
    expect(await lab.find("one", "roof", { limit: 2 })).toHaveLength(2);
    expect(await lab.find("one", "zebra")).toEqual([]);
  });

  it("finds a word of two letters and a CJK phrase", async () => {
    const { find } = await talked();
    expect(sessions(await find("two", "io"))).toContain("roof");
    expect(sessions(await find("two", "屋根の修理"))).toEqual(["roof"]);
  });

  it("ends when it is cancelled, also between two hits", async () => {
    const lab = await talked();
    const env = await lab.project("one");
    const abort = new AbortController();
    const reason = new Error("typed on");
    const hits: SearchHit[] = [];
    const search = async (): Promise<void> => {
      for await (const hit of (await env.sessions()).search("roof", { signal: abort.signal })) {
        hits.push(hit);
        abort.abort(reason);
      }
    };
    await expect(search()).rejects.toBe(reason);
    expect(hits).toHaveLength(1);
  });

  it("finds what an open agent has said so far", async () => {
    const lab = await talked();
    const env = await lab.project("one");
    const agent = await lab.open(env);
    await ask(agent, "A gargoyle.");
    expect(sessions(await lab.find("two", "gargoyle"))).toEqual([agent.session?.id]);
    await agent.close();
  });
});
