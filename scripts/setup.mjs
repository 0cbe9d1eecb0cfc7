// Installs and builds what is missing. Everything else in scripts/ may assume it ran.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { environment, root, run, StepFailure, step } from "./steps.mjs";

const NODE_FLOOR = [20, 19];
const stamp = join(root, "node_modules/.ashlar-installed");

const lockHash = () =>
  createHash("sha256")
    .update(readFileSync(join(root, "pnpm-lock.yaml")))
    .digest("hex");
const installed = () => existsSync(stamp) && readFileSync(stamp, "utf8") === lockHash();

/** Throws a StepFailure on a Node that is too old. Before it ran, nothing may use what only newer ones have. */
export function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const old = major < NODE_FLOOR[0] || (major === NODE_FLOOR[0] && minor < NODE_FLOOR[1]);
  if (old)
    throw new StepFailure(
      `Node ${process.versions.node} is too old: Ashlar needs ${NODE_FLOOR.join(".")} or newer. See https://nodejs.org`,
    );
}

/** `only` builds one package and what it needs; `declarations: false` leaves out the .d.ts files, which take minutes. */
export async function setup({ only, declarations = true } = {}) {
  checkNode();
  if (!installed()) {
    const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    await step(
      "install dependencies",
      () => run("npx", ["-y", packageManager, "install", "--frozen-lockfile", "--prefer-offline"]),
      "Packages come from the npm registry: check the network, the proxy (HTTPS_PROXY) and `npm config get registry`, then run this again.",
    );
    writeFileSync(stamp, lockHash());
  }
  const filter = only === undefined ? [] : [`--filter=${only}...`];
  const env = declarations ? environment : { ...environment, ASHLAR_FAST_BUILD: "1" };
  await step("build", () => run("turbo", ["run", "build", "--output-logs=errors-only", ...filter], { env }));
}
