// `npm test`: installs, builds, and runs everything that `npm run check` runs.
import { ensureBubblewrap } from "./bubblewrap.mjs";
import { setup } from "./setup.mjs";
import { main, root } from "./steps.mjs";

await main(async () => {
  await setup();
  await ensureBubblewrap();
  const { check } = await import(`${root}scripts/check.mjs`);
  await check();
});
