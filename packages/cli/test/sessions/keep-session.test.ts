import { createMemoryRepository, messageUser, SessionError, type SessionRepository } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { keepSession } from "../../src/sessions/keep-session.js";

const READ = {
  session: { id: "s1", created: 1_700_000_000_000, cwd: "/p" },
  entries: [{ id: "a", seq: 1, parent: null, at: 1, kind: "message", message: messageUser("x") }],
} as const;

/** A place in which sessions can be made, and nothing can be written to them. */
function full(inner: SessionRepository): SessionRepository {
  return {
    ...inner,
    create: async (options) => {
      const store = await inner.create(options);
      const append = async (): Promise<never> => {
        throw new SessionError("storage", "no room", { code: "ENOSPC" });
      };
      const close = async (): Promise<never> => {
        await store.close();
        throw new SessionError("storage", "no room to close", { code: "ENOSPC" });
      };
      return Object.create(store, { append: { value: append }, close: { value: close } });
    },
  };
}

describe("a session that is imported", () => {
  it("leaves nothing behind where it could not be written, and says why", async () => {
    const inner = createMemoryRepository();
    await expect(keepSession(full(inner), READ, {})).rejects.toMatchObject({
      kind: "storage",
      message: "no room",
    });
    expect(await inner.list()).toEqual([]);
  });

  it("keeps its id, its time and its project, unless it is told otherwise", async () => {
    const repository = createMemoryRepository();
    expect(await keepSession(repository, READ, {})).toMatchObject({
      id: "s1",
      created: 1_700_000_000_000,
      cwd: "/p",
    });
    expect(await keepSession(repository, READ, { id: "s2", cwd: "/q" })).toMatchObject({
      id: "s2",
      cwd: "/q",
    });
    expect((await keepSession(repository, READ, { forceNew: true })).id).not.toBe("s1");
    await expect(keepSession(repository, READ, {})).rejects.toMatchObject({ kind: "usage" });
  });
});
