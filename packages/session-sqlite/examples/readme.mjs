// Keeps a conversation, and finds it by two letters and by two characters.
import { Context, messageAssistant, messageUser } from "@ashlar/context";
import { createSqliteRepository } from "@ashlar/session-sqlite";

const sessions = createSqliteRepository({ folder: "./sessions" });
const context = await Context.open({ store: await sessions.create({ cwd: process.cwd() }) });
context.append(messageUser("Where is the io layer of 漢字テスト?"));
context.append(messageAssistant("In src/io."));
await context.flush({ durable: true });
await context.close();

const found = [];
for (const words of ["IO", "漢字"])
  for await (const { snippet } of sessions.search(words)) found.push(snippet);
console.log(found.join("\n"));
if (found.length !== 3) throw new Error("the search did not find all");
await sessions.close();
