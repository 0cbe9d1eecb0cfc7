// node contender.mjs FOLDER SESSION LOG DRIVER HEARTBEAT STALE PAUSE: asks for the session until it gets it, then writes until
// it is killed or overtaken. Prints one JSON line for each thing that happens.
import { Context, messageAssistant } from "@ashlar/context";
import { createSqliteRepository } from "@ashlar/session-sqlite";
import { noting } from "./commit-log.mjs";

const [, , folder, session, logFile, driver, heartbeatMs, staleMs, pauseMs] = process.argv;
const lock = { heartbeatMs: Number(heartbeatMs), staleMs: Number(staleMs) };
const repository = createSqliteRepository({ folder, driver, lock, busyMs: 2_000 });
const say = (event) => process.stdout.write(`${JSON.stringify({ pid: process.pid, ...event })}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function ask() {
  for (let tries = 0; ; tries += 1) {
    try {
      return await repository.open(session);
    } catch (error) {
      const isBusy = error.kind === "storage" && error.details.code === "EBUSY";
      if (error.kind !== "locked" && !isBusy) throw error;
      const { pid: holder, since } = error.details;
      if (tries === 0) say({ event: "locked", kind: error.kind, message: error.message, holder, since });
      await pause(10);
    }
  }
}

const context = await Context.open({ store: noting(await ask(), logFile) });
say({ event: "owner", entries: context.length });
try {
  for (let round = 0; ; round += 1) {
    const size = round % 20 === 0 ? 100_000 : 200;
    context.append(messageAssistant(`${process.pid} ${round} ${"x".repeat(size)}`), { merge: false });
    await context.flush();
    if (round === 3) say({ event: "wrote" });
    await pause(Number(pauseMs));
  }
} catch (error) {
  say({ event: "stopped", kind: error.cause?.kind, message: error.message });
  await context.close().catch(() => undefined);
  process.exit(3);
}
