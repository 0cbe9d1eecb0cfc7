// Installs and builds what is missing. Everything else in scripts/ may assume it ran.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, run, StepFailure, step } from "./steps.mjs";

const NODE_FLOOR = [20, 19];
const stamp = join(root, "node_modules/.ashlar-installed");

const lockHash = () =>
  createHash("sha256")
    .update(readFileSync(join(root, "pnpm-lock.yaml")))
    .digest("hex");
const installed = () => existsSync(stamp) && readFileSync(stamp, "utf8") === lockHash();

function checkNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  const old = major < NODE_FLOOR[0] || (major === NODE_FLOOR[0] && minor < NODE_FLOOR[1]);
  if (old)
    throw new StepFailure(
      `Node ${process.versions.node} is too old: Ashlar needs ${NODE_FLOOR.join(".")} or newer.`,
    );
}

export async function setup() {
  checkNode();
  if (!installed()) {
    const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    await step(
      "install dependencies",
      () => run("npx", ["-y", packageManager, "install", "--frozen-lockfile", "--prefer-offline"]),
      "The npm registry must be reachable; see the output above.",
    );
    writeFileSync(stamp, lockHash());
  }
  await step("build", () => run("turbo", ["run", "build", "--output-logs=errors-only"]));
}
