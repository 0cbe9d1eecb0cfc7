import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Agent, AgentEnv, Isolation } from "@ashlar/agent";
import {
  type CommitOptions,
  createMemoryRepository,
  type SessionEntry,
  type SessionRepository,
} from "@ashlar/context";
import { expect, it } from "vitest";
import { ask, temporaryFolder } from "../support/open-agent.js";
import { put, toolModule } from "../support/sandboxed-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";
import { type SessionLab, sessionLab } from "../support/session-lab.js";

/** Confines everything, as it says, and runs nothing. */
function isolation(call: () => Promise<unknown>): Isolation {
  return {
    probe: async () => ({ confines: { files: true, network: true, processes: true } }),
    call: async () => ({ result: call(), lastWord: async () => undefined, end: async () => undefined }),
    background: () => Promise.reject(new Error("no command was asked for")),
    close: async () => undefined,
  };
}

/** An agent that is asked to cut once; `run` stands for what the sandbox does. */
async function cutting(lab: SessionLab, env: AgentEnv, run: () => Promise<unknown>): Promise<Agent> {
  const { stream } = scripted(calls([{ name: "cut", id: "x" }]), text("done"));
  return lab.open(env, { stream, session: { id: "s" }, isolation: isolation(run) });
}

async function cuttingLab(): Promise<SessionLab> {
  const tools = await temporaryFolder();
  await put(tools, { "package.json": '{"type":"module"}', "cut.js": toolModule("cut", 'return "cut";') });
  return sessionLab({ roots: [tools] });
}

it("what changes something runs only once the session holds that it began", async () => {
  const lab = await cuttingLab();
  const env = await lab.project();
  const file = join(lab.sessions, "s.jsonl");
  const seen: string[] = [];
  const agent = await cutting(lab, env, async () => {
    seen.push(await readFile(file, "utf8"));
    return "cut";
  });
  await ask(agent);
  const started = seen[0]
    ?.split("\n")
    .flatMap((line) => (line.includes('"tool_started"') ? [JSON.parse(line)] : []));
  expect(started).toMatchObject([{ event: { callId: "x", name: "cut", replay: "never" } }]);
});

it("what changes something does not run when that cannot be committed, and the run ends", async () => {
  const lab = await cuttingLab();
  const env = await lab.project();
  const full = watched(createMemoryRepository(), (_, entries) => {
    if (JSON.stringify(entries).includes("tool_started")) throw new Error("no space left");
  });
  env.sessionsUse(full);
  const ran: string[] = [];
  const agent = await cutting(lab, env, async () => ran.push("cut"));
  expect(await ask(agent)).toMatchObject({ kind: "other", error: expect.stringContaining("no space left") });
  expect(ran).toEqual([]);
  await expect(agent.close()).rejects.toMatchObject({ kind: "storage" });
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

function watched(
  inner: SessionRepository,
  seen: (options: CommitOptions, entries: readonly SessionEntry[]) => void,
): SessionRepository {
  return {
    ...inner,
    create: async (options) => {
      const store = await inner.create(options);
      const { append } = store;
      return Object.assign(Object.create(store), {
        append: async (...[entries, commit = {}]: Parameters<typeof append>) => {
          seen(commit, entries);
          return append(entries, commit);
        },
      });
    },
  };
}
