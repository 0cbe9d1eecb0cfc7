#!/usr/bin/env node
// Rules that no tool checks for us: file length, forbidden spellings, Node globals where code must run anywhere.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { layers, runsAnywhere } from "./layer-table.mjs";
import { root } from "./steps.mjs";

const MAX_LINES = 400;

const forbidden = [
  { pattern: /\bas unknown as\b/, rule: "no `as unknown as`: decode at the border" },
  { pattern: /@ts-(ignore|nocheck)/, rule: "no @ts-ignore" },
  { pattern: /(:|<|\bas) any\b/, rule: "no `any`" },
  { pattern: /\b(TODO|FIXME|XXX)\b/, rule: "no TODO: file an issue, or do it" },
  { pattern: /^\s*export \* from/, rule: "an entry names its exports", only: /\/src\/(.*\/)?index\.ts$/ },
  { pattern: /\b(it|test|describe)\.(only|todo)\(/, rule: "no .only or .todo" },
];
const nodeGlobals = {
  pattern: /(?<![\w.])(Buffer|process|__dirname|require)\b(?=[.([])/,
  rule: "no Node global here: this code runs anywhere",
};
const anywhere = [
  ...Object.entries(layers)
    .filter(([, layer]) => layer.anywhere)
    .map(([name]) => `packages/${name}/src/`),
  ...runsAnywhere,
];

const tracked = execFileSync(
  "git",
  ["ls-files", "--cached", "--others", "--exclude-standard", "packages", "examples", "scripts"],
  { cwd: root, encoding: "utf8" },
);
const files = tracked
  .split("\n")
  .filter((file) => existsSync(join(root, file)))
  .filter(
    (file) =>
      /\.(ts|mjs|js|cjs)$/.test(file) && !/\/(generated|fixtures)\/|api\.d\.ts$|house-rules\.mjs$/.test(file),
  );

const isTypeTest = (file) => file.endsWith(".test-d.ts");

function offences(file) {
  const lines = readFileSync(join(root, file), "utf8").split("\n");
  const found =
    lines.length > MAX_LINES
      ? [`${file}: ${lines.length} lines; split it by subject (at most ${MAX_LINES})`]
      : [];
  const rules = forbidden.filter(({ only }) => !only || only.test(file));
  if (anywhere.some((folder) => file.startsWith(folder))) rules.push(nodeGlobals);
  lines.forEach((line, index) => {
    if (/^\s*(\/\/|\*|\/\*)/.test(line) && !/@ts-/.test(line)) return;
    for (const { pattern, rule } of rules) {
      if (pattern.test(line) && !isTypeTest(file)) found.push(`${file}:${index + 1}: ${rule}`);
    }
  });
  return found;
}

const found = files
  .filter((file) => !file.startsWith("scripts/") || !file.includes("/test/"))
  .flatMap(offences);
for (const line of found) console.error(line);
console.log(`${files.length} files, ${found.length} offences`);
process.exitCode = found.length > 0 ? 1 : 0;
