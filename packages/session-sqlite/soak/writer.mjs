// node writer.mjs FOLDER SESSION LOG DRIVER: appends, edits, compacts and forks until it is killed.
import { Context, cutPositions, messageAssistant, messageUser } from "@ashlar/context";
import { createSqliteRepository } from "@ashlar/session-sqlite";
import { noting } from "./commit-log.mjs";

const [, , folder, session, logFile, driver] = process.argv;
const repository = createSqliteRepository({ folder, driver });
const context = await Context.open({ store: noting(await repository.open(session), logFile) });

const below = (limit) => Math.floor(Math.random() * limit);
const words = () => `${"é🙂 words ".repeat(below(12) === 0 ? below(3_000) : below(20))}.${below(1e9)}`;

const deeds = [
  () => context.append(messageUser(words()), { merge: below(2) === 0 }),
  () => context.append(messageAssistant(words()), { merge: false }),
  () => context.append(messageAssistant(words()), { merge: false }),
  () => context.length > 0 && context.edit(below(context.length), messageUser(words())),
  () => context.length > 3 && context.remove([below(context.length)]),
  () => context.length > 3 && context.rollback(-1 - below(3)),
  () => context.undo(),
  () => context.rename(words().slice(0, 40)),
  () => {
    const cuts = cutPositions(context.items()).filter((cut) => cut > 0);
    if (context.length > 12)
      context.compact({ firstKept: cuts[below(cuts.length)], summary: messageUser(words()) });
  },
];

process.stdout.write("ready\n");
for (;;) {
  for (let count = below(4); count >= 0; count -= 1) deeds[below(deeds.length)]();
  await context.flush({ durable: below(20) === 0 });
  if (below(30) === 0) await repository.fork(session);
  if (below(30) === 0) await repository.updateIndex();
  // A turn of the timers, so that a kill may also fall between two commits.
  if (below(5) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}
