// One measurement in a fresh process: node --expose-gc measure.mjs PEER[:VARIANT] WORKLOAD URL OPTIONS; prints one JSON line.
const [, , peer, workload, url, options] = process.argv;
const [name, variant] = peer.split(":");

const { setup } = await import(`./peers/${name}/adapter.mjs`);
const { measure } = await import(`./workloads/${workload}.mjs`);

/** A stopwatch of CPU time (user and system, all threads of this process), in milliseconds. */
const cpuMs = () => {
  const start = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1000;
  };
};
const check = (ok, why) => {
  if (!ok) throw new Error(`check: ${why}`);
};

const adapter = await setup({ baseURL: url, variant });
const figures = await measure(adapter, JSON.parse(options), { cpuMs, check, url });
process.stdout.write(
  `${JSON.stringify({ peer, workload, ...figures, peakMB: process.resourceUsage().maxRSS / 1024 })}\n`,
  () => process.exit(0),
);
