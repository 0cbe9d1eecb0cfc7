import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { tellRun } from "../demo-story.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(`${root}README.md`, "utf8");

it("shows what the demo tells, with an ellipsis for what it leaves out", async () => {
  const [, transcript = ""] = /^```text\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  const prompt = /^you: +(.+)$/m.exec(transcript)?.[1] ?? "";
  let story = "";
  const write = (part: string): void => {
    story += part;
  };
  await tellRun({ model: "test/read", folder: root, prompt, write });
  const parts = transcript.split(/^\s*…\n/m).map((part) => part.trim());
  expect(parts.length).toBeGreaterThan(1);
  let from = 0;
  for (const part of parts) {
    const at = story.indexOf(part, from);
    expect(at, `"${part}" comes next in:\n${story}`).toBeGreaterThanOrEqual(from);
    from = at + part.length;
  }
});

it("asks in the demo what it shows", () => {
  const demo = readFileSync(`${root}scripts/demo.mjs`, "utf8");
  const shown = /^you: +(.+)$/m.exec(readme)?.[1];
  expect(demo).toContain(`"${shown}"`);
});
