// W7: how long after abort() the caller has its answer, in a silent and in a flooding stream; no hang, socket closed.
import { sleep } from "../tools.mjs";

export const title = "W7 abort, ms until the caller has its answer (median; worst in brackets)";
export const unit = "ms";

const HANG_MS = 5_000;
const modes = {
  stall: { model: "stall-20", cut: 20, delayMs: 50 },
  flood: { model: "s-100000-8", cut: 1_000, delayMs: 0 },
};

async function abortOnce(adapter, { model, cut, delayMs }) {
  const controller = new AbortController();
  let received = 0;
  let firedAt = 0;
  const fire = () => {
    firedAt = performance.now();
    controller.abort();
  };
  const settled = adapter
    .stream({
      model,
      prompt: "go",
      signal: controller.signal,
      onDelta() {
        received += 1;
        if (received !== cut) return;
        if (delayMs > 0) setTimeout(fire, delayMs);
        else fire();
      },
    })
    .then(
      () => true,
      () => true,
    );
  while (firedAt === 0) await sleep(5);
  const inTime = await Promise.race([settled, sleep(HANG_MS).then(() => false)]);
  return { ms: performance.now() - firedAt, hung: !inTime };
}

async function socketClosed(url, model) {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const { closed } = await (await fetch(`${url}/stats`)).json();
    if (closed[model]) return !closed[model].complete;
    await sleep(20);
  }
  return false;
}

export async function measure(adapter, { aborts = 100 }, { url, check }) {
  await adapter.stream({ model: "s-200-1", prompt: "warm", onDelta() {} });
  const times = [];
  for (let index = 0; index < aborts; index += 1) {
    const mode = index % 2 === 0 ? modes.stall : modes.flood;
    await (await fetch(`${url}/stats?reset=1`)).text();
    const { ms, hung } = await abortOnce(adapter, mode);
    check(!hung, `abort ${index} hung for ${HANG_MS} ms`);
    check(
      await socketClosed(url, mode.model),
      `abort ${index} left the socket open or read the answer to its end`,
    );
    times.push(ms);
  }
  times.sort((a, b) => a - b);
  return { value: times[Math.floor(aborts / 2)], growth: [times.at(-1)] };
}
