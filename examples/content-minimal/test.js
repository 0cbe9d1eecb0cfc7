// Uses the package as a user would: named in the settings, its skill listed, its prompt expanded.
import { fileURLToPath } from "node:url";
import { Env } from "@ashlar/env";

const folder = fileURLToPath(new URL(".", import.meta.url));
const env = await Env.open(folder, { layers: [], collect: false, settings: { packages: [folder] } });
const { skills } = await env.skills();
for (const { name, description } of skills) console.log(`${name}: ${description}`);
const message = await env.promptExpand("/shorten The functionality was utilised.");
console.log(message);
const words = new TextDecoder().decode(await env.skillResource("plain-words", "references/words.csv"));
for (const problem of env.diagnostics) console.error(problem.message);
await env.close();
const right = message.includes("everyday words") && words.startsWith("utilise;use");
if (skills.length !== 1 || !right || env.diagnostics.length > 0) process.exitCode = 1;
