// Uses the package as a user would: named in the settings, found, described and called.
import { fileURLToPath } from "node:url";
import { Env } from "@ashlar/env";

const folder = fileURLToPath(new URL(".", import.meta.url));
const env = await Env.open(folder, { layers: [], collect: false, settings: { packages: [folder] } });
const context = {
  env,
  signal: AbortSignal.timeout(10_000),
  deadline: Date.now() + 10_000,
  call: { callId: "call-1", name: "days-between" },
  agent: { folder },
  safe: true,
  question: null,
  onData: () => {},
};
for (const { message } of env.diagnostics) console.error(message);
const answer = await env.toolCall("days-between", { from: "2027-03-26", to: "2027-03-30" }, context);
await env.close();
console.log(answer);
if (answer !== "4 days") process.exitCode = 1;
