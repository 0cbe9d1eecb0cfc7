import { fileURLToPath } from "node:url";
import { Env } from "@ashlar/env";
import { expect, it, onTestFinished } from "vitest";

it("brings a skill with its file, and a prompt that includes it", async () => {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const env = await Env.open(folder, { layers: [], collect: false, settings: { packages: [folder] } });
  onTestFinished(() => env.close());
  expect(env.packages()).toMatchObject([{ name: "ashlar-content-minimal", kinds: ["content"] }]);
  expect(await env.skills()).toMatchObject({
    skills: [{ name: "plain-words", source: "packages" }],
    diagnostics: [],
  });
  expect(await env.skillResources("plain-words")).toEqual([{ path: "references/words.csv", size: 34 }]);
  expect(await env.promptExpand("/shorten Text.")).toMatch(/^Shorten .*everyday words\..*\n\nText\.$/s);
  expect(env.diagnostics).toEqual([]);
});
