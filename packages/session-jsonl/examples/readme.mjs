// Keeps a conversation, ends, and goes on where it stopped.
import { Context, messageAssistant, messageUser } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";

const sessions = createJsonlRepository({ folder: "./sessions" });
const context = await Context.open({ store: await sessions.create({ cwd: process.cwd() }) });
context.append(messageUser("How long is the bridge?"));
context.append(messageAssistant("It is 312 m long."));
await context.flush({ durable: true });
await context.close();

const latest = await sessions.latest({ cwd: process.cwd() });
const again = await Context.open({ store: await sessions.open(latest.id) });
console.log(`${latest.preview} → ${again.length} messages`);
if (again.length !== 2) throw new Error("the conversation did not come back");
for await (const { snippet } of sessions.search("312")) console.log(snippet);
await again.close();
