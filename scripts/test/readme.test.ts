import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { probe } from "@ashlar/sandbox";
import { expect, it } from "vitest";
import { SCRIPTED_MODEL, tellChange } from "../demo-change.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const readme = readFileSync(`${root}README.md`, "utf8");
const { confines, reason } = await probe();
const works = confines.files && confines.network && confines.processes;
if (!works) console.log(`not run: the transcript of README.md, because ${reason}`);

it.runIf(works)("shows what the demo tells, with an ellipsis for what it leaves out", async () => {
  const [, transcript = ""] = /^```text\n([\s\S]*?)^```$/m.exec(readme) ?? [];
  let story = "";
  const write = (part: string): void => {
    story += part;
  };
  const { exitCode } = await tellChange({ model: SCRIPTED_MODEL, write });
  expect(exitCode, story).toBe(0);
  const parts = transcript.split("…").map((part) => part.trim());
  expect(parts.length).toBeGreaterThan(1);
  let from = 0;
  for (const part of parts) {
    const at = story.indexOf(part, from);
    expect(at, `"${part}" comes next in:\n${story}`).toBeGreaterThanOrEqual(from);
    from = at + part.length;
  }
});
