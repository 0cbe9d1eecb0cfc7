import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Isolation } from "@ashlar/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask } from "../support/open-agent.js";
import { openSandboxed, type SandboxedOptions, toolModule } from "../support/sandboxed-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";

const WRITE = toolModule(
  "change",
  'writeFileSync("written.txt", "x"); return "changed";',
  "",
  'import { writeFileSync } from "node:fs";',
);

/** The model asks for one change. */
async function askForChange(options: SandboxedOptions) {
  const { stream } = scripted(calls([{ name: "change" }]), text("ok"));
  const opened = await openSandboxed({ modules: { "change.js": WRITE }, stream, ...options });
  const result = await ask(opened.agent);
  const refused = opened.events.find((event) => event.type === "tool_result");
  return { ...opened, result, refused, changed: existsSync(join(opened.folder, "written.txt")) };
}

/** A folder for PATH that has everything but bubblewrap. */
async function pathWithoutBubblewrap(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ashlar-path-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const name of await readdir("/usr/bin"))
    if (name !== "bwrap") await symlink(`/usr/bin/${name}`, join(folder, name));
  return folder;
}

/** Runs everything in this process, and says so. */
function openIsolation(confines: Partial<Record<"files" | "network" | "processes", boolean>>): Isolation {
  const unused = async (): Promise<never> => {
    throw new Error("nothing may run here");
  };
  return {
    probe: async () => ({ confines: { files: false, network: false, processes: false, ...confines } }),
    call: unused,
    background: unused,
    close: async () => {
      throw new Error("whoever made it closes it");
    },
  };
}

describe("an agent without a working sandbox", () => {
  it.each([
    {
      why: "the environment forbids it",
      options: async () => ({ environment: { ASHLAR_OS_SANDBOX: "none" } }),
      says: /^no sandbox: .*ASHLAR_OS_SANDBOX/,
    },
    {
      why: "bubblewrap is not on PATH",
      options: async () => ({ environment: { PATH: await pathWithoutBubblewrap() } }),
      says: /^no sandbox: .*(bwrap|bubblewrap).*install/is,
    },
    {
      why: "what it was given confines no network",
      options: async () => ({ isolation: openIsolation({ files: true, processes: true }) }),
      says: /^no sandbox: what is there does not confine network\.$/,
    },
    {
      why: "no process may be started",
      options: async () => ({ toolCall: { fork: false } }),
      says: /^toolCall\.fork is false/,
    },
    {
      why: "its tools work on another machine",
      // Never reached: the call is refused first.
      options: async () => ({ execution: {} as NonNullable<SandboxedOptions["execution"]> }),
      says: /another machine/,
    },
  ])("is read-only and says why: $why", async ({ options, says }) => {
    const { result, refused, changed, agent, events } = await askForChange(await options());
    expect(result).toMatchObject({ status: "completed", kind: "refused", exitCode: 7 });
    expect(result.refused).toEqual([{ tool: "change", reason: expect.stringMatching(says) }]);
    expect(refused).toMatchObject({ error: true, refused: expect.stringMatching(says) });
    expect(events.some(({ type }) => type === "tool_execute")).toBe(false);
    expect(changed).toBe(false);
    expect(agent.can.write).toBe(false);
    agent.can.write = true;
    expect(agent.can.write).toBe(false);
  });

  it("still publishes every tool", async () => {
    const { agent } = await askForChange({ environment: { ASHLAR_OS_SANDBOX: "none" } });
    expect([...(await agent.tools).keys()]).toEqual(["change"]);
  });
});

it("lets can.write be taken away and given back between calls", async () => {
  const { agent, call, folder } = await openSandboxed({
    modules: { "change.js": WRITE },
    can: { write: false },
  });
  expect(await call("change")).toMatchObject({ refused: "this agent may only read" });
  expect(existsSync(join(folder, "written.txt"))).toBe(false);
  expect(agent.can.write).toBe(false);
});

it("cannot write over the safe view of an Env", async () => {
  const { env } = await openSandboxed({ modules: { "change.js": WRITE } });
  const { stream } = scripted(text("ok"));
  const { AgentEnv } = await import("@ashlar/agent");
  const { safe } = env;
  if (!(safe instanceof AgentEnv)) throw new Error("the safe view is an Env, too");
  const agent = safe.agentCreate({ stream });
  expect(agent.can.write).toBe(false);
  expect(await agent.toolCall("change")).toMatchObject({ error: true });
  await agent.close();
});

it("hands calls to an isolation that it was given, with the policy, and leaves it open", async () => {
  const seen: unknown[] = [];
  const isolation: Isolation = {
    ...openIsolation({}),
    probe: async () => ({ confines: { files: true, network: true, processes: true } }),
    call: async ({ name, args, policy, safe, services }) => {
      seen.push({
        name,
        args,
        safe,
        writeRoots: policy.writeRoots,
        network: policy.network,
        names: services.names,
      });
      return {
        result: Promise.resolve("far away"),
        lastWord: async () => undefined,
        end: async () => undefined,
      };
    },
  };
  const { call, folder } = await openSandboxed({ modules: { "change.js": WRITE }, isolation });
  expect(await call("change", { a: 1 })).toMatchObject({ content: [{ type: "text", text: "far away" }] });
  expect(seen).toEqual([
    {
      name: "change",
      args: { a: 1 },
      safe: false,
      writeRoots: [folder],
      network: "none",
      names: ["background", "changes", "skills"],
    },
  ]);
});
