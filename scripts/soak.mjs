#!/usr/bin/env node
// `npm run soak -- kills 2000 [--store jsonl|sqlite]`, `npm run soak -- processes --calls 1000`: long proofs that are too
// slow for every run; each prints its counts.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setup } from "./setup.mjs";
import { main, root, run, StepFailure } from "./steps.mjs";

/** The programs of packages/<name>/soak, by name; what they start beside themselves does not say how it is run. */
const isProgram = (file, what) => readFileSync(file, "utf8").includes(`node soak/${what}.mjs`);

function soaks() {
  const found = new Map();
  for (const name of readdirSync(join(root, "packages"))) {
    const folder = join(root, "packages", name, "soak");
    if (!existsSync(folder)) continue;
    for (const file of readdirSync(folder).filter((entry) => entry.endsWith(".mjs"))) {
      const what = file.slice(0, -".mjs".length);
      if (isProgram(join(folder, file), what))
        found.set(what, [...(found.get(what) ?? []), join(folder, file)]);
    }
  }
  return found;
}

/** Those of one store; all when none is named. */
function ofStore(files, store) {
  if (store === undefined) return files;
  const found = files.filter((file) => file.includes(`session-${store}`));
  if (found.length > 0) return found;
  const known = files.map((file) => /session-([a-z]+)/.exec(file)?.[1]).filter(Boolean);
  throw new StepFailure(
    `--store: no such store ${store}; ${known.length > 0 ? `known: ${known.join(", ")}` : "this one has none"}`,
  );
}

/** Takes `--store NAME` out of the arguments. */
function withoutStore(words) {
  const at = words.indexOf("--store");
  if (at < 0) return { store: undefined, rest: words };
  return { store: words[at + 1] ?? "", rest: words.toSpliced(at, 2) };
}

await main(async () => {
  const [what = "", ...words] = process.argv.slice(2);
  const { store, rest } = withoutStore(words);
  const named = soaks().get(what);
  if (named === undefined) throw new StepFailure(`name one of: ${[...soaks().keys()].join(", ")}`);
  const files = ofStore(named, store);
  await setup();
  for (const file of files) {
    process.stdout.write(`${file.slice(root.length)} ${rest.join(" ")}\n`);
    const { code } = await run(process.execPath, [file, ...rest], { show: true });
    if (code !== 0) throw new StepFailure(`${file.slice(root.length)} ended with exit code ${code}`);
  }
});
