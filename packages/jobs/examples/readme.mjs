// Runs one task with the scripted model, and shows what became of it.
import { mkdirSync, writeFileSync } from "node:fs";
import { AgentEnv } from "@ashlar/agent";
import { init, run, status } from "@ashlar/jobs";
import { Test } from "@ashlar/provider-test";

mkdirSync("project");
await init("project");
writeFileSync("project/ai-jobs/tasks/hello.md", "Greet the stone bridge.\n");
const env = await AgentEnv.open("project", { providers: { test: Test } });
await run("project", { model: "test/echo", withEnv: (work) => work(env) });
await env.close();
const { tasks, runs } = await status("project");
console.log(`${tasks.length} tasks left, ${runs[0].attempt.filename} ${runs[0].end.outcome}`);
if (runs[0].end.outcome !== "completed") throw new Error("the task did not run");
