// node writer.mjs FOLDER SESSION LOG: appends, edits, compacts and forks until it is killed.
import { Context, cutPositions, messageAssistant, messageUser } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { logged } from "./logged-store.mjs";

const [, , folder, session, logFile] = process.argv;
const repository = createJsonlRepository({ folder });
const store = logged(await repository.open(session), logFile);
const context = await Context.open({ store });

const below = (limit) => Math.floor(Math.random() * limit);
const text = () => `${"é🙂 words ".repeat(below(10) === 0 ? below(3_000) : below(20))}.${below(1e9)}`;

const deeds = [
  () => context.append(messageUser(text()), { merge: below(2) === 0 }),
  () => context.append(messageAssistant(text()), { merge: false }),
  () => context.append(messageAssistant(text()), { merge: false }),
  () => context.length > 0 && context.edit(below(context.length), messageUser(text())),
  () => context.length > 3 && context.remove([below(context.length)]),
  () => context.length > 3 && context.rollback(-1 - below(3)),
  () => context.undo(),
  () => context.rename(text().slice(0, 40)),
  () => {
    const cuts = cutPositions(context.items()).filter((cut) => cut > 0);
    if (context.length > 12)
      context.compact({ firstKept: cuts[below(cuts.length)], summary: messageUser(text()) });
  },
];

process.stdout.write("ready\n");
for (;;) {
  for (let count = below(4); count >= 0; count -= 1) deeds[below(deeds.length)]();
  await context.flush({ durable: below(20) === 0 });
  if (below(40) === 0) await repository.fork(session);
  // A timer's turn, so that a kill may also fall between two commits.
  if (below(5) === 0) await new Promise((resolve) => setTimeout(resolve, 1));
}
