// node contender.mjs FOLDER SESSION LOG HEARTBEAT STALE: asks for the session until it gets it, then writes until it is
// killed or overtaken. Prints one JSON line for each thing that happens.
import { Context, messageAssistant } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { logged } from "./logged-store.mjs";

const [, , folder, session, logFile, heartbeatMs, staleMs] = process.argv;
const repository = createJsonlRepository({
  folder,
  lock: { heartbeatMs: Number(heartbeatMs), staleMs: Number(staleMs) },
});
const say = (event) => process.stdout.write(`${JSON.stringify({ pid: process.pid, ...event })}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask() {
  for (let tries = 0; ; tries += 1) {
    try {
      return await repository.open(session);
    } catch (error) {
      if (error.kind !== "locked") throw error;
      if (tries === 0)
        say({
          event: "locked",
          message: error.message,
          holder: error.details.pid,
          since: error.details.since,
        });
      await pause(10);
    }
  }
}

const store = logged(await ask(), logFile);
const context = await Context.open({ store });
say({ event: "owner", entries: context.length });
try {
  for (let round = 0; ; round += 1) {
    context.append(
      messageAssistant(`${process.pid} ${round} ${"x".repeat(round % 50 === 0 ? 200_000 : 200)}`),
      { merge: false },
    );
    await context.flush();
    if (round === 3) say({ event: "wrote" });
    await pause(round % 10 === 0 ? 1 : 0);
  }
} catch (error) {
  say({ event: "stopped", kind: error.cause?.kind, message: error.message });
  await context.close().catch(() => undefined);
  process.exit(3);
}
