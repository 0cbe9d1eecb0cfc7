import { Env, parseDuration } from "@ashlar/env";

const env = await Env.open(".", { layers: ["project"], settings: { model: "ollama/qwen3" } });
for (const { message } of env.diagnostics) console.error(message);

const tools = env.settings.tools; // ai-settings.json over the defaults, always current
console.log(`${env.name}: a tool call may take ${parseDuration(tools.timeout) / 1000} s.`);
tools.timeout = "5m"; // without the user layer this stays in memory
if (parseDuration(tools.timeout) !== 300_000) throw new Error("the change does not count");

console.log(env.settingLayers("model")); // [{ layer: "constructor", value: "ollama/qwen3" }]
await env.close();
