// `npm test`: installs, builds, and runs everything that `npm run check` runs.
import { ensureProgram } from "./apt-program.mjs";
import { setup } from "./setup.mjs";
import { main, root } from "./steps.mjs";

await main(async () => {
  await setup();
  await ensureProgram({
    program: "bwrap",
    packageName: "bubblewrap",
    tests: "the tests that need a sandbox",
  });
  await ensureProgram({
    program: "chromium",
    packageName: "chromium",
    tests: "the tests that look at an exported page",
  });
  const { check } = await import(`${root}scripts/check.mjs`);
  await check();
});
