import { Agent } from "@ashlar/agent";
import { contentText, createMemoryRepository, type SessionRepository } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { createSqliteRepository } from "@ashlar/session-sqlite";
import { expect, it, onTestFinished } from "vitest";
import { ask } from "../support/open-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";
import { sessionLab } from "../support/session-lab.js";

const stores: readonly {
  readonly store: string;
  readonly open: (folder: string) => SessionRepository;
}[] = [
  { store: "memory", open: () => createMemoryRepository() },
  { store: "JSONL files", open: (folder) => createJsonlRepository({ folder }) },
  { store: "SQLite", open: (folder) => createSqliteRepository({ folder }) },
];

it.each(stores)(
  "an agent works the same over $store: begun, forked, edited, resumed, deleted",
  async ({ open }) => {
    const lab = await sessionLab({
      tools: {
        look: { description: "Looks.", safe: true, inputSchema: { type: "object" }, fn: () => "seen" },
      },
    });
    const repository = open(lab.home);
    onTestFinished(() => repository.close?.());
    const env = await lab.project();
    env.sessionsUse(repository);
    const words = ({ context }: Agent): readonly string[] => context.messages().map(contentText);

    const { stream } = scripted(calls([{ name: "look" }]), text("done"));
    const agent = await lab.open(env, { stream, model: "lab/one", session: { id: "s", name: "Roof" } });
    await ask(agent, "look");
    expect(words(agent)).toEqual(["look", "", "seen", "done"]);
    const fork = await Agent.fork(agent);
    await ask(fork, "on the copy");
    agent.context.edit(0, { type: 2, content: [{ type: "text", text: "LOOK" }] });
    await Promise.all([agent.close(), fork.close()]);

    const again = await lab.open(env, { session: { resume: "s" } });
    expect(again).toMatchObject({ model: "lab/one", session: { name: "Roof", cwd: env.cwd } });
    expect(words(again)).toEqual(["LOOK", "", "seen", "done"]);
    expect(again.context.journalState).toEqual({ open: undefined, problems: [] });
    expect(again.context.stats).toMatchObject({ requests: 2, model: "lab/one" });
    await expect(lab.open(env, { session: { resume: "s" } })).rejects.toMatchObject({ kind: "locked" });
    await again.close();

    const copy = await lab.open(env, { session: { resume: String(fork.session?.id) } });
    expect(words(copy).slice(-2)).toEqual(["on the copy", "done"]);
    expect(copy.context.stats).toMatchObject({ requests: 1 });
    await copy.close();
    expect(await repository.delete("s")).toBe(true);
    expect((await repository.list({ cwd: env.cwd })).map(({ id }) => id)).toEqual([fork.session?.id]);
  },
);
