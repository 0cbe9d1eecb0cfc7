import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { EXIT_CODES } from "@ashlar/agent/loop";
import ts from "typescript";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const PAGE = "docs/guides/errors.md";

interface Kinds {
  /** Heading of the page. */
  readonly title: string;
  readonly kinds: readonly string[];
}

function statementsOf(file: string): readonly ts.Statement[] {
  return [...ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest).statements];
}

/** Every `interface XErrorDetails` of a package: its members are the kinds of `XError`. */
function errorsOf(folder: string): readonly Kinds[] {
  const files = readdirSync(join(folder, "src"), { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => file.endsWith("-error.ts"))
    .flatMap((file) => statementsOf(join(folder, "src", file)))
    .filter(ts.isInterfaceDeclaration)
    .filter(({ name }) => name.text.endsWith("ErrorDetails"))
    .map(({ name, members }) => ({
      title: name.text.slice(0, -"Details".length),
      kinds: members.flatMap((member) => (member.name && "text" in member.name ? [member.name.text] : [])),
    }));
}

function unionOf(file: string, alias: string): readonly string[] {
  const type = statementsOf(join(root, file))
    .filter(ts.isTypeAliasDeclaration)
    .find(({ name }) => name.text === alias)?.type;
  if (type === undefined || !ts.isUnionTypeNode(type)) throw new Error(`${file} has no union ${alias}`);
  return type.types.map((member) => {
    if (!ts.isLiteralTypeNode(member) || !ts.isStringLiteral(member.literal))
      throw new Error(`${alias} is no union of texts`);
    return member.literal.text;
  });
}

interface Row {
  readonly kind: string;
  readonly meaning: string;
  readonly exitCode: string;
}

/** The rows of the table below a heading. */
function rowsOf(title: string): readonly Row[] {
  const page = readFileSync(join(root, PAGE), "utf8");
  const section = page.split(/^#{2,3} /m).find((part) => part.startsWith(`${title}\n`)) ?? "";
  return [...section.matchAll(/^\| `(\w+)` \| (.+) \|$/gm)].map(([, kind = "", rest = ""]) => {
    const cells = rest.split("|").map((cell) => cell.trim());
    return { kind, meaning: cells[0] ?? "", exitCode: cells.at(-1) ?? "" };
  });
}

/** As the command line maps them: kinds without a row of their own count as a wrong use. */
function exitCodeOf(kind: string): number {
  return Object.entries(EXIT_CODES).find(([name]) => name === kind)?.[1] ?? EXIT_CODES.other;
}

const packages = readdirSync(join(root, "packages")).map((name) => join(root, "packages", name));
const subjects: readonly (Kinds & { readonly owner: string })[] = [
  ...packages.flatMap((folder) => errorsOf(folder).map((each) => ({ ...each, owner: basename(folder) }))),
  {
    owner: "context",
    title: "A failed request",
    kinds: unionOf("packages/context/src/events.ts", "RequestErrorKind"),
  },
  { owner: "agent", title: "The end of a run", kinds: Object.keys(EXIT_CODES) },
];

describe(`${PAGE} explains`, () => {
  it.each(subjects)("every kind of $title of $owner, and none that is gone", ({ title, kinds }) => {
    const rows = rowsOf(title);
    expect(rows.map(({ kind }) => kind).sort()).toEqual([...kinds].sort());
    expect(rows.filter(({ meaning }) => meaning.trim() === "")).toEqual([]);
  });

  it.each(subjects)("the exit code of each kind of $title of $owner", ({ title }) => {
    const rows = rowsOf(title);
    expect(rows.map(({ kind, exitCode }) => [kind, exitCode])).toEqual(
      rows.map(({ kind }) => [kind, String(exitCodeOf(kind))]),
    );
  });

  it("every exit code, with the kinds that lead to it", () => {
    const page = readFileSync(join(root, PAGE), "utf8");
    const rows = [...page.matchAll(/^\| (\d+) \| (`[^|]+) \|/gm)].flatMap(([, code, kinds = ""]) =>
      [...kinds.matchAll(/`(\w+)`/g)].map(([, kind]) => [kind, Number(code)]),
    );
    expect(Object.fromEntries(rows)).toEqual(EXIT_CODES);
  });
});
