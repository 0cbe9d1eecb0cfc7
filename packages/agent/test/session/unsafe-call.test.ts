import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Isolation } from "@ashlar/agent";
import { type CommitOptions, createMemoryRepository, type SessionRepository } from "@ashlar/context";
import { expect, it } from "vitest";
import { ask, temporaryFolder } from "../support/open-agent.js";
import { put, toolModule } from "../support/sandboxed-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";
import { sessionLab } from "../support/session-lab.js";

/** Confines everything, as it says, and runs nothing. */
function isolation(call: () => Promise<unknown>): Isolation {
  return {
    probe: async () => ({ confines: { files: true, network: true, processes: true } }),
    call: async () => ({ result: call(), lastWord: async () => undefined, end: async () => undefined }),
    background: () => Promise.reject(new Error("no command was asked for")),
    close: async () => undefined,
  };
}

it("what changes something runs only once the session holds that it began", async () => {
  const tools = await temporaryFolder();
  await put(tools, { "package.json": '{"type":"module"}', "cut.js": toolModule("cut", 'return "cut";') });
  const lab = await sessionLab({ roots: [tools] });
  const env = await lab.project();
  const file = join(lab.sessions, "s.jsonl");
  const seen: string[] = [];
  const { stream } = scripted(calls([{ name: "cut", id: "x" }]), text("done"));
  const agent = await lab.open(env, {
    stream,
    session: { id: "s" },
    isolation: isolation(async () => {
      seen.push(await readFile(file, "utf8"));
      return "cut";
    }),
  });
  await ask(agent);
  const started = seen[0]
    ?.split("\n")
    .flatMap((line) => (line.includes('"tool_started"') ? [JSON.parse(line)] : []));
  expect(started).toMatchObject([{ event: { callId: "x", name: "cut", replay: "never" } }]);
});

it("the end of a run is forced to the disk, what comes before it is not", async () => {
  const lab = await sessionLab();
  const env = await lab.project();
  const commits: boolean[] = [];
  env.sessionsUse(watched(createMemoryRepository(), ({ durable = false }) => commits.push(durable)));
  const agent = await lab.open(env);
  await ask(agent);
  expect(commits.slice(0, -1)).not.toContain(true);
  expect(commits.at(-1)).toBe(true);
});

function watched(inner: SessionRepository, seen: (options: CommitOptions) => void): SessionRepository {
  return {
    ...inner,
    create: async (options) => {
      const store = await inner.create(options);
      const { append } = store;
      return Object.assign(Object.create(store), {
        append: (...[entries, commit = {}]: Parameters<typeof append>) => {
          seen(commit);
          return append(entries, commit);
        },
      });
    },
  };
}
