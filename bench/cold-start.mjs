// W4: CPU of starting the command line and of importing a package, over a bare node; size of an installed CLI.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { environment, run } from "../scripts/steps.mjs";
import { install, packAll, scratchFolder } from "../scripts/tarballs.mjs";
import { median } from "./table.mjs";

const importOf = (name) => ["--input-type=module", "-e", `await import("@ashlar/${name}")`];

/** CPU of one child process, by the kernel's own accounting: user and system seconds of `time -f`. */
async function cpuMs(args, cwd) {
  const { output } = await run("/usr/bin/time", ["-f", "CPU %U %S", process.execPath, ...args], {
    cwd,
    env: { ...environment, NO_COLOR: "1" },
  });
  const [, user, system] = /CPU ([\d.]+) ([\d.]+)/.exec(output) ?? [];
  return (Number(user) + Number(system)) * 1000;
}

async function size(folder) {
  const { output } = await run("du", ["-sk", "node_modules"], { cwd: folder });
  const packages = readdirSync(join(folder, "node_modules"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
    .flatMap((entry) =>
      entry.name.startsWith("@") ? readdirSync(join(folder, "node_modules", entry.name)) : [entry.name],
    );
  return { megabytes: Number.parseInt(output, 10) / 1024, packages: packages.length };
}

/** A Markdown table; each round runs every command once, in turn. */
export async function coldStart(runs) {
  const scratch = scratchFolder();
  try {
    const folder = await install(["cli"], { tarballs: await packAll(scratch), scratch });
    const cli = join(folder, "node_modules/@ashlar/cli/bin/ashlar.js");
    const commands = {
      "node -e 0": ["-e", "0"],
      "ashlar --version": [cli, "--version"],
      "ashlar --help": [cli, "--help"],
      ...Object.fromEntries(
        ["context", "env", "io", "agent"].map((name) => [`import @ashlar/${name}`, importOf(name)]),
      ),
    };
    const figures = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
    for (let round = 0; round < runs; round += 1) {
      for (const [name, args] of Object.entries(commands)) figures[name].push(await cpuMs(args, folder));
    }
    const bare = median(figures["node -e 0"]);
    const rows = Object.entries(figures).map(
      ([name, values]) =>
        `| ${name} | ${median(values).toFixed(0)} | ${(median(values) - bare).toFixed(0)} |`,
    );
    const { megabytes, packages } = await size(folder);
    return [
      "\n### W4 cold start, CPU ms\n",
      "| what | median | over bare node |",
      "|---|---|---|",
      ...rows,
      "",
      `CLI installed: ${megabytes.toFixed(1)} MB, ${packages} packages`,
    ].join("\n");
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
