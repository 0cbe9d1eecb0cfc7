#!/usr/bin/env node
// Writes packages/*/api.d.ts: what each entry exports, then every declaration of `dist`, sorted and without comments.
// `--check` compares instead. Reads the built declarations, so build first.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import ts from "typescript";
import { root } from "./steps.mjs";

const check = process.argv.includes("--check");
const printer = ts.createPrinter({ removeComments: true });

/** The entry's declaration file and every local file it reaches. */
function reachable(entry) {
  const seen = new Map();
  const visit = (file) => {
    if (seen.has(file)) return;
    const source = ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true);
    seen.set(file, source);
    for (const statement of source.statements) {
      const specifier = statement.moduleSpecifier?.text;
      if (specifier?.startsWith(".")) visit(resolve(dirname(file), specifier.replace(/\.js$/, ".d.ts")));
    }
  };
  visit(entry);
  return [...seen.values()];
}

const isImportOrExport = (node) =>
  ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isExportAssignment(node);

function declarationName(statement) {
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations[0].name.getText();
  return statement.name?.getText() ?? "";
}

/** tsup names shared declarations of two chunks apart with `$1`; the number says nothing. */
function declarations(sources) {
  const texts = sources.flatMap((source) =>
    source.statements
      .filter((statement) => !isImportOrExport(statement))
      .map((statement) => ({
        name: declarationName(statement),
        text: printer.printNode(ts.EmitHint.Unspecified, statement, source),
      })),
  );
  const unique = new Map(texts.map(({ name, text }) => [`${name}\n${text}`, text]));
  return [...unique.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, text]) => text.replace(/^(export )?(declare )?/, ""));
}

function exportedNames(file) {
  const program = ts.createProgram([file], {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();
  const module = checker.getSymbolAtLocation(program.getSourceFile(file));
  return checker
    .getExportsOfModule(module)
    .map((symbol) => symbol.getName())
    .sort();
}

function report(folder, manifest) {
  const entries = Object.entries(manifest.exports).filter(([, target]) => typeof target === "object");
  const files = entries.map(([, target]) => join(folder, target.types));
  for (const file of files)
    if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build first`);
  const surface = entries.map(
    ([key], index) =>
      `// ${manifest.name}${key.slice(1)}\n${exportedNames(files[index])
        .map((name) => `//   ${name}`)
        .join("\n")}`,
  );
  const all = [...new Map(files.flatMap(reachable).map((source) => [source.fileName, source])).values()];
  return `${surface.join("\n")}\n\n${declarations(all).join("\n")}\n`;
}

let stale = 0;
const packages = readdirSync(join(root, "packages")).filter((name) =>
  existsSync(join(root, "packages", name, "package.json")),
);
for (const name of packages) {
  const folder = join(root, "packages", name);
  const text = report(folder, JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
  const target = join(folder, "api.d.ts");
  if (existsSync(target) && readFileSync(target, "utf8") === text) continue;
  if (check) {
    stale += 1;
    console.error(`packages/${name}/api.d.ts is not what the build declares.`);
  } else {
    writeFileSync(target, text);
    console.log(`wrote packages/${name}/api.d.ts`);
  }
}
if (check) console.log(`${packages.length} packages compared, ${stale} stale`);
process.exitCode = stale > 0 ? 1 : 0;
