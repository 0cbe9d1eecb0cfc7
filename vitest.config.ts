import { existsSync, readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL(".", import.meta.url));

/** `@ashlar/x/y` → `packages/x/src/y.ts`, so that tests run on sources and need no build. */
function sourceAliases(): { find: RegExp; replacement: string }[] {
  return readdirSync(`${root}packages`).flatMap((folder) => {
    const file = `${root}packages/${folder}/package.json`;
    if (!existsSync(file)) return [];
    const manifest = JSON.parse(readFileSync(file, "utf8"));
    return Object.entries<{ default?: string }>(manifest.exports ?? {}).flatMap(([key, target]) => {
      const built = target.default;
      if (!built?.startsWith("./dist/")) return [];
      const name = manifest.name + key.slice(1);
      const source = `${root}packages/${folder}/src/${built.slice("./dist/".length, -".js".length)}.ts`;
      return [{ find: new RegExp(`^${name}$`), replacement: source }];
    });
  });
}

export default defineConfig({
  resolve: { alias: sourceAliases() },
  test: {
    include: ["packages/*/test/**/*.test.ts", "examples/*/test/**/*.test.ts", "scripts/test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Two cores: more workers only make timing tests flaky.
    maxWorkers: 2,
    // Real processes, sockets and clocks on a shared machine: one more try there, none where somebody is looking.
    retry: process.env.CI ? 1 : 0,
  },
});
