import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createContext, Script } from "node:vm";
import { build, type Metafile } from "esbuild";
import { describe, expect, it } from "vitest";

const source = fileURLToPath(new URL("../src", import.meta.url));

/** What every browser has, and nothing of Node. */
const web = () => createContext({ TextEncoder, TextDecoder, crypto, btoa, atob, structuredClone });

interface Bundle {
  readonly text: string;
  readonly metafile: Metafile;
}

async function bundle(entry: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(source, `${entry}.ts`)],
    bundle: true,
    write: false,
    metafile: true,
    format: "iife",
    globalName: "entry",
    platform: "browser",
    target: "es2022",
    external: ["node:*"],
  });
  return { text: outputFiles[0]?.text ?? "", metafile };
}

function importsOf(metafile: Metafile): readonly string[] {
  return Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path));
}

describe.each([
  {
    entry: "index",
    program: `
      const { Context, createAssembler, messageUser, parseInput, requestView, contentBinary, estimateTokens } = entry;
      const assembler = createAssembler();
      assembler.push({ type: "text_delta", contentIndex: 0, text: "hello" });
      assembler.push({ type: "done" });
      const context = new Context({ items: parseInput("hi").items });
      context.append(assembler.message());
      context.append(messageUser([contentBinary({ bytes: new Uint8Array(3) })]));
      [context.id.length, estimateTokens(context.items()) > 0, requestView(context.items()).length].join();`,
    result: "36,true,3",
  },
  {
    entry: "provider",
    program: `
      entry.defineProvider(class Local {
        static contract = 1;
        static provider = { label: "L", capabilities: { streaming: true, thinking: [], tools: false } };
      }).name;`,
    result: "Local",
  },
  {
    entry: "tool",
    program: `entry.defineTool({ description: "d", inputSchema: {} }).description + entry.toolRevision();`,
    result: "d0",
  },
  {
    entry: "testing/index",
    program: `entry.storeConformance.length > 40;`,
    result: true,
  },
])("the entry $entry", ({ entry, program, result }) => {
  it("runs where there is no Node", async () => {
    const { text } = await bundle(entry);
    expect(new Script(`${text}\n${program}`).runInContext(web())).toBe(result);
  });

  it("imports nothing but its own files", async () => {
    const { metafile } = await bundle(entry);
    for (const path of importsOf(metafile)) expect(path).toMatch(/^packages\/context\/src\//);
  });
});

it("finds an import of Node where there is one", async () => {
  const stdin = { contents: 'import "node:fs";', resolveDir: source };
  const { metafile } = await build({
    stdin,
    bundle: true,
    write: false,
    metafile: true,
    external: ["node:*"],
  });
  expect(importsOf(metafile)).toEqual(["node:fs"]);
});

it("names no global of Node in any file", () => {
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter((file) =>
    file.endsWith(".ts"),
  );
  expect(files.length).toBeGreaterThan(30);
  for (const file of files) {
    const code = readFileSync(join(source, file), "utf8").replace(/^\s*(\/\/|\*|\/\*).*$/gm, "");
    expect(`${file}: ${/\b(Buffer|process\.\w|setImmediate|__dirname|require\()/.exec(code)?.[0]}`).toBe(
      `${file}: undefined`,
    );
  }
});
