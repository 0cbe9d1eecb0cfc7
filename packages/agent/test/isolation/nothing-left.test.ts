import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { processesWith } from "../support/left-processes.js";
import { ask } from "../support/open-agent.js";
import { noSandboxHere, openSandboxed, put, toolModule } from "../support/sandboxed-agent.js";
import { calls, scripted, text } from "../support/scripted-stream.js";

const missing = await noSandboxHere();
const CALLS = 30;

/** Starts what likes to stay: a session of its own, a double fork, one that ignores SIGTERM. */
const SPAWN = toolModule(
  "spawn",
  `const mark = "ashlar-left-" + args.mark;
   for (const line of ["setsid sh -c 'exec -a " + mark + " sleep 300' &", "(setsid sh -c 'trap \\"\\" TERM; exec -a " + mark + " sleep 300' &) &"])
     child.spawn("bash", ["-c", line], { detached: true, stdio: "ignore" }).unref();
   child.spawn("bash", ["-c", "trap '' TERM INT HUP; for i in $(seq 300); do sleep 1; done # " + mark], { stdio: "ignore" });
   for (const path of args.outside) try { writeFileSync(path, "changed"); } catch {}
   await new Promise((resolve) => setTimeout(resolve, 100));
   if (args.wait) await new Promise(() => setInterval(() => {}, 1000));
   return "returned";`,
  "",
  'import child from "node:child_process"; import { writeFileSync } from "node:fs";',
);

const fingerprint = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
    .map((path) => `${path} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`)
    .join("\n");

it.skipIf(missing !== undefined)(
  `leaves no process and changes nothing outside, in ${CALLS} calls that return, are cancelled or run out of time`,
  { timeout: 120_000 },
  async () => {
    const opened = await openSandboxed({ modules: { "spawn.js": SPAWN } });
    const { home, folder, env, call } = opened;
    await put(home, { "precious.txt": "as it was", "deep/er.txt": "as it was" });
    const before = fingerprint(home);
    const mark = `${process.pid}-${Date.now()}`;
    const outside = [
      join(home, "precious.txt"),
      join(home, "new.txt"),
      "/etc/ashlar-test",
      join(home, "deep/er.txt"),
    ];
    const ends: string[] = [];
    for (let index = 0; index < CALLS; index += 1) {
      const args = { mark, outside, wait: index % 3 !== 0 };
      if (index % 3 === 1) {
        const { stream } = scripted(calls([{ name: "spawn", args }]), text("ok"));
        const agent = env.agentCreate({ stream, systemPrompt: false });
        const off = agent.subscribe((event) => {
          if (event.type === "tool_execute") setTimeout(() => agent.cancel(), 300);
        });
        ends.push((await ask(agent)).status);
        off();
        await agent.close();
      } else {
        const result = await call("spawn", index % 3 === 0 ? args : { ...args, timeout: 400 });
        ends.push(result.error === true ? "out of time" : "returned");
      }
      expect(processesWith(`ashlar-left-${mark}`)).toEqual([]);
    }
    const count = (end: string): number => ends.filter((other) => other === end).length;
    expect([count("returned"), count("cancelled"), count("out of time")]).toEqual([10, 10, 10]);
    expect(
      fingerprint(home)
        .replace(/^.*\/\.ashlar\/.*$/gmu, "")
        .trim(),
    ).toBe(before);
    await opened.agent.close();
    expect(readdirSync(folder)).toEqual([]);
    console.log(`${CALLS} calls: 0 processes left, 0 files outside changed`);
  },
);
