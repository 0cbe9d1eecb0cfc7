import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Env } from "@ashlar/env";

const folder = await mkdtemp(join(tmpdir(), "example-"));
await mkdir(join(folder, "ai-skills/notes"), { recursive: true });
await mkdir(join(folder, "ai-prompts"));
await writeFile(
  join(folder, "ai-skills/notes/SKILL.md"),
  "---\nname: notes\ndescription: Release notes\n---\nBe brief.\n",
);
await writeFile(join(folder, "ai-prompts/release.md"), "Write them. {{notes}}\n");

const env = await Env.open(folder, { layers: ["project"], collect: false });
const { skills, diagnostics } = await env.skills();
console.log(
  skills.map(({ name, description }) => `${name}: ${description}`),
  diagnostics,
);
console.log((await env.skill("notes")).body); // Be brief.
const text = await env.promptExpand("/release for 2.0"); // the prompt, its skill in a tag, then: for 2.0
if (!text.includes("Be brief.") || !text.endsWith("for 2.0")) throw new Error("the prompt was not expanded");
await env.close();
await rm(folder, { recursive: true });
