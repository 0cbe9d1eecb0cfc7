#!/usr/bin/env node
// Fills every code block that begins with `// example: <file>` from that file, and says which blocks nothing backs.
// A block may name a region: `// example: <file>#<name>` takes the lines between `// #region <name>` and `// #endregion`.
// Links between documents are checked too: the file is there, and has the heading.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./steps.mjs";

const check = process.argv.includes("--check");
const CODE = new Set(["ts", "js", "mjs", "typescript", "javascript"]);

function region(text, name, where) {
  const start = text.indexOf(`// #region ${name}\n`);
  const end = text.indexOf("// #endregion", start);
  if (start < 0 || end < 0) throw new Error(`${where}: no region "${name}"`);
  const lines = text
    .slice(text.indexOf("\n", start) + 1, end)
    .split("\n")
    .slice(0, -1);
  const indent = Math.min(
    ...lines.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length),
  );
  return `${lines.map((line) => line.slice(indent)).join("\n")}\n`;
}

function cut(reference, document) {
  const [file, name] = reference.split("#");
  const path = join(root, file);
  if (!existsSync(path)) throw new Error(`${document}: the example ${file} does not exist`);
  const text = readFileSync(path, "utf8");
  return name
    ? region(text, name, `${document}: ${file}`)
    : text.replaceAll(/^\/\/ #(region|endregion).*\n/gm, "");
}

/** The document with its examples filled in, and the blocks of code that are not cut from anywhere. */
function fill(text, document) {
  const bare = [];
  const filled = text.replaceAll(/^```(\w+)\n([\s\S]*?)^```$/gm, (block, language, body) => {
    if (!CODE.has(language)) return block;
    const reference = /^\/\/ example: (\S+)\n/.exec(body)?.[1];
    if (!reference) {
      bare.push(body.split("\n")[0]);
      return block;
    }
    return `\`\`\`${language}\n// example: ${reference}\n${cut(reference, document)}\`\`\``;
  });
  return { filled, bare };
}

const slug = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .trim()
    .replaceAll(/\s/g, "-");

const headingsOf = (text) => [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading]) => slug(heading));

/** Relative links that lead nowhere. */
function brokenLinks(text, document) {
  const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, "").replaceAll(/`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file, heading] = link.split("#");
      const target = join(root, file === "" ? document : join(dirname(document), file));
      if (!existsSync(target)) return true;
      return heading !== undefined && !headingsOf(readFileSync(target, "utf8")).includes(heading);
    });
}

const documents = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], {
  cwd: root,
  encoding: "utf8",
})
  .split("\n")
  .filter(
    (file) =>
      file &&
      !file.startsWith(".changeset/") &&
      !/(^|\/)(CHANGELOG|fixtures\/)/.test(file) &&
      existsSync(join(root, file)),
  );

let problems = 0;
const complain = (text) => {
  problems += 1;
  console.error(text);
};
for (const document of documents) {
  const text = readFileSync(join(root, document), "utf8");
  const { filled, bare } = fill(text, document);
  for (const line of bare)
    complain(`${document}: the block "${line}" is cut from no file; begin it with // example: <file>`);
  for (const link of brokenLinks(text, document)) complain(`${document}: the link ${link} leads nowhere`);
  if (filled === text) continue;
  if (check) complain(`${document}: an example differs from its file`);
  else writeFileSync(join(root, document), filled);
}
console.log(`${documents.length} documents, ${problems} problems`);
process.exitCode = problems > 0 ? 1 : 0;
