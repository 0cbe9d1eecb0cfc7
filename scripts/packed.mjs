#!/usr/bin/env node
// Checks what users get: each package packed, linted as a package, installed from its tarball into an empty folder, and
// its README example run there. Then what people do with single packages: one check a file in scripts/packed.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { startFakeLLM } from "../packages/testing/dist/index.js";
import { environment, main, root, run, StepFailure } from "./steps.mjs";
import { install, manifestOf, packAll, packageNames, scratchFolder } from "./tarballs.mjs";

async function lintPackage(tarball) {
  for (const [command, args] of [
    ["publint", [tarball, "--strict"]],
    ["attw", [tarball, "--profile", "esm-only", "--no-emoji"]],
  ]) {
    const { code, output } = await run(command, args);
    if (code !== 0) throw new StepFailure(`${command} ${tarball}:\n${output}`);
  }
}

const importedPackages = (text) => [...text.matchAll(/from "@ashlar\/([\w-]+)/g)].map(([, name]) => name);

/** Runs every example of one package in a folder that holds nothing but tarballs. Those that ask a server take a model. */
async function runExamples(name, tarballs, scratch, server) {
  const examples = join(root, "packages", name, "examples");
  if (!existsSync(examples))
    throw new StepFailure(`packages/${name}/examples is missing: each package shows itself in one`);
  const files = readdirSync(examples).filter((file) => file.endsWith(".mjs"));
  const texts = files.map((file) => readFileSync(join(examples, file), "utf8"));
  const folder = await install([name, ...texts.flatMap(importedPackages)], { tarballs, scratch });
  writeFileSync(join(folder, "README.md"), "# Stone bridge\n\nA project to look at.\n");
  for (const [index, file] of files.entries()) {
    writeFileSync(join(folder, file), texts[index]);
    const { code, output } = await run(process.execPath, [file, "ok"], {
      cwd: folder,
      env: { ...environment, OLLAMA_HOST: server.url, ASHLAR_HOME: join(folder, "home") },
    });
    if (code !== 0) throw new StepFailure(`packages/${name}/examples/${file} exited ${code}:\n${output}`);
  }
  return files.length;
}

await main(async () => {
  const scratch = scratchFolder();
  const server = await startFakeLLM({ port: 0 });
  try {
    const tarballs = await packAll(scratch);
    for (const tarball of tarballs.values()) await lintPackage(tarball);
    let examples = 0;
    for (const name of packageNames) {
      if (manifestOf(name).private) continue;
      examples += await runExamples(name, tarballs, scratch, server);
    }
    for (const script of readdirSync(join(root, "scripts/packed")).sort()) {
      const { default: check } = await import(`./packed/${script}`);
      await check({ tarballs, scratch, server });
    }
    console.log(`${tarballs.size} packages installed from tarballs, ${examples} examples run`);
  } finally {
    await server.close();
    rmSync(scratch, { recursive: true, force: true });
  }
});
