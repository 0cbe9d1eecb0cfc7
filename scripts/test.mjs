// `npm test`: installs, builds, and runs everything that `npm run check` runs.
import { setup } from "./setup.mjs";
import { main, root } from "./steps.mjs";

await main(async () => {
  await setup();
  const { check } = await import(`${root}scripts/check.mjs`);
  await check();
});
