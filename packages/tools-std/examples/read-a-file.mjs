import { Env } from "@ashlar/env";
import { toolsRoot } from "@ashlar/tools-std";

const env = await Env.open(process.cwd(), { layers: [], collect: false, tools: [toolsRoot] });
const { args, notes } = env.toolValidate("read", { path: "README.md", limit: "1" });
const text = await env.toolCall("read", args, {
  env,
  signal: AbortSignal.timeout(10_000),
  deadline: Date.now() + 10_000,
  call: { callId: "call-1", name: "read" },
  agent: { folder: env.cwd },
  safe: true,
  question: null,
  onData: () => {},
});
await env.close();
console.log(text, notes); // the first line, numbered, and: limit: "1" read as 1
if (!text.startsWith("1\t# ")) process.exitCode = 1;
