import { existsSync, readFileSync } from "node:fs";
import { mkdir, rename, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Agent } from "@ashlar/agent";
import { describe, expect, it, onTestFinished } from "vitest";
import { textOf, toolResults } from "../support/call-tools.js";
import { openTimers, processesWith } from "../support/left-processes.js";
import { ask } from "../support/open-agent.js";
import {
  noSandboxHere,
  openSandboxed,
  resultText,
  type SandboxedOptions,
} from "../support/sandboxed-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";

const missing = await noSandboxHere();
const tools = join(
  dirname(createRequire(import.meta.url).resolve("@ashlar/tools-std/package.json")),
  "dist/tools",
);
const open = (options: SandboxedOptions = {}) => openSandboxed({ roots: [tools], ...options });
const bash = (agent: Agent, command: string) => agent.toolCall("bash", { command });
const run = (command: string) => scripted(calls([{ name: "bash", args: { command } }]), text("done")).stream;

/** A port of this machine on which somebody listens. */
async function listening(): Promise<number> {
  const server = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

describe.skipIf(missing !== undefined)("children of an agent in the sandbox", () => {
  it("write where their parent may, as long as it may", async () => {
    const { agent, folder } = await open();
    const child = await agent.childCreate({ name: "a" });
    await bash(child, "echo 1 > one.txt");
    agent.can.write = false;
    expect(await bash(child, "echo 2 > two.txt")).toMatchObject({ refused: "this agent may only read" });
    expect([existsSync(join(folder, "one.txt")), existsSync(join(folder, "two.txt"))]).toEqual([true, false]);
  });

  it("write in their own folder only, and read the whole project", async () => {
    const { agent, folder } = await open({ files: { "a.txt": "alpha\n", "sub/b.txt": "beta\n" } });
    const child = await agent.childCreate({ name: "a", folder: "sub" });
    const shown = resultText(
      await bash(child, "pwd; cat b.txt ../a.txt; echo new > c.txt; echo no > ../d.txt"),
    );
    expect(shown).toContain(`${folder}/sub\nbeta\nalpha\n`);
    expect(shown).toMatch(/d\.txt: Read-only file system/);
    expect(readFileSync(join(folder, "sub/c.txt"), "utf8")).toBe("new\n");
    await child.toolCall("write", { path: "e.txt", content: "five" });
    expect(readFileSync(join(folder, "sub/e.txt"), "utf8")).toBe("five");
    expect(await child.toolCall("write", { path: "../f.txt", content: "six" })).toMatchObject({
      error: true,
    });
    expect(existsSync(join(folder, "f.txt"))).toBe(false);
  });

  it("run nothing once a link stands in the place of their folder", async () => {
    const { agent, folder, home } = await open({ files: { "sub/b.txt": "beta\n" } });
    const child = await agent.childCreate({ name: "a", folder: "sub" });
    await rename(join(folder, "sub"), join(folder, "moved"));
    await mkdir(join(home, "elsewhere"));
    await symlink(join(home, "elsewhere"), join(folder, "sub"));
    expect(await bash(child, "echo x > x.txt")).toMatchObject({
      refused: expect.stringContaining("a link stands in its place"),
    });
    expect(existsSync(join(home, "elsewhere/x.txt"))).toBe(false);
  });

  it("reach no network when they may not, nor does what they start", async () => {
    const port = await listening();
    const reach = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo reached`;
    const { agent, env } = await open({ settings: { sandbox: { network: "full" } } });
    const child = await agent.childCreate({ name: "a", can: { network: false } });
    const reached = async (who: Agent): Promise<boolean> =>
      resultText(await bash(who, reach)).includes("reached");
    const background = async (who: Agent): Promise<boolean> =>
      resultText(await who.toolCall("bash", { command: reach, background: true })).includes("reached");
    expect([await reached(agent), await background(agent)]).toEqual([true, true]);
    // A process that was started for the parent's next call does not serve the child's.
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect([await reached(child), await background(child)]).toEqual([false, false]);
    agent.can.network = false;
    expect([await reached(agent), await background(agent)]).toEqual([false, false]);
    agent.can.network = true;
    expect([await reached(agent), await reached(child)]).toEqual([true, false]);
    const other = env.agentCreate({ stream: scripted(text("ok")).stream, can: { network: false } });
    expect(await reached(other)).toBe(false);
    await other.close();
  });

  it("leave no process when their parent closes while they work", async () => {
    const mark = `ashlar-child-${process.pid}-${Date.now()}`;
    const { agent, env } = await open();
    const linger = `(setsid sh -c 'trap "" TERM; exec -a ${mark} sleep 300' &); exec -a ${mark} sleep 300`;
    const before = openTimers();
    const working = await Promise.all(
      ["a", "b", "c"].map(async (name) => {
        const child = await agent.childCreate({ name, stream: run(linger) });
        return { child, result: ask(child) };
      }),
    );
    await expect.poll(() => processesWith(mark).length, { timeout: 20_000 }).toBeGreaterThanOrEqual(3);
    await agent.close();
    expect(processesWith(mark)).toEqual([]);
    const results = await Promise.all(working.map(({ result }) => result));
    expect(results.map(({ kind }) => kind)).toEqual(["cancelled", "cancelled", "cancelled"]);
    expect([env.agents(), agent.pending]).toEqual([[], 0]);
    expect(openTimers()).toBeLessThanOrEqual(before);
  });

  it("are stopped together by one budget, and nothing runs on", async () => {
    const mark = `ashlar-budget-${process.pid}-${Date.now()}`;
    const { agent } = await open({ budget: { requests: 9 } });
    const endless = () =>
      scripted(({ index }) =>
        calls([{ name: "bash", args: { command: `(exec -a ${mark} sleep 0.05); echo ${index}` } }]),
      ).stream;
    const before = openTimers();
    const children = await Promise.all(
      ["a", "b", "c"].map((name) => agent.childCreate({ name, stream: endless() })),
    );
    const results = await Promise.all(children.map((child) => ask(child)));
    expect(results.map(({ exitCode, stop }) => [exitCode, stop?.rule])).toEqual(
      children.map(() => [6, "requests"]),
    );
    expect(results.reduce((sum, { requests }) => sum + requests, 0)).toBe(9);
    // Each call that began has its result.
    for (const { context } of children)
      expect(toolResults(context.items()).every((result) => /\d/.test(textOf(result)))).toBe(true);
    await agent.close();
    expect(processesWith(mark)).toEqual([]);
    expect(openTimers()).toBeLessThanOrEqual(before);
  });
});
