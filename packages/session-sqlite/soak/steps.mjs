// node steps.mjs FOLDER SESSION DRIVER COUNT: commits COUNT messages one by one, tells after each as one JSON line how long
// the log beside the database is, and is gone with -9.
import { existsSync, statSync, writeSync } from "node:fs";
import { join } from "node:path";
import { Context, messageUser } from "@ashlar/context";
import { createSqliteRepository } from "@ashlar/session-sqlite";

const [, , folder, session, driver, count] = process.argv;
const log = join(folder, "sessions.db-wal");
const repository = createSqliteRepository({ folder, driver });
const context = await Context.open({ store: await repository.create({ id: session }) });
for (let step = 1; step <= Number(count); step += 1) {
  context.append(messageUser(`text ${step} é🙂`), { merge: false });
  await context.flush();
  const logBytes = existsSync(log) ? statSync(log).size : 0;
  writeSync(1, `${JSON.stringify({ entries: step, logBytes })}\n`);
}
process.kill(process.pid, "SIGKILL");
