import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { noSandboxHere, openSandboxed, resultText, toolModule } from "../support/sandboxed-agent.js";

const missing = await noSandboxHere();

describe.skipIf(missing !== undefined)("a call that changes something", () => {
  it("runs in a process of its own, which can write in the project only", async () => {
    const outside = join(process.cwd(), "written-by-a-test.txt");
    const { call, folder } = await openSandboxed({
      modules: {
        "change.js": toolModule(
          "change",
          `writeFileSync("in.txt", "x"); let out = "written"; try { writeFileSync(${JSON.stringify(outside)}, "x"); } catch (error) { out = error.code; }
           return { pid: process.pid, out, cwd: process.cwd(), folder: context.agent.folder, project: context.env.cwd, safe: context.safe };`,
          "",
          'import { writeFileSync } from "node:fs";',
        ),
      },
    });
    const result = await call("change");
    const value = JSON.parse(resultText(result));
    expect(value).toMatchObject({ out: "EROFS", cwd: folder, folder, project: folder, safe: false });
    expect(value.pid).not.toBe(process.pid);
    expect(readFileSync(join(folder, "in.txt"), "utf8")).toBe("x");
    expect(existsSync(outside)).toBe(false);
  });

  it("leaves no trace in the next one: each has a fresh process", async () => {
    const { call } = await openSandboxed({
      modules: {
        "count.js": toolModule("count", "globalThis.n = (globalThis.n ?? 0) + 1; return globalThis.n;"),
      },
    });
    expect(resultText(await call("count"))).toBe("1");
    expect(resultText(await call("count"))).toBe("1");
  });

  it.each([
    { why: "nothing", value: "undefined", shown: /^\(no output\)$/ },
    { why: "a cycle", value: "(() => { const o = { a: 1 }; o.self = o; return o; })()", shown: /circular/ },
    { why: "a big integer", value: "10n", shown: /^"?10"?$/ },
    {
      why: "bytes of an image",
      value: "Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')",
      shown: /^image$/,
    },
    { why: "50 MB of text", value: '"x".repeat(50_000_000)', shown: /characters left out here/ },
    { why: "50 MB of bytes", value: "new Uint8Array(50_000_000)", shown: /bytes left out/ },
    {
      why: "what JSON calls something else",
      value: "({ toJSON() { throw new Error('no'); } })",
      shown: /could not be shown/,
    },
    { why: "blocks", value: '[{ type: "text", text: "a" }, { type: "text", text: "b" }]', shown: /^a\nb$/ },
    { why: "a payload", value: '({ result: "r", display: "d" })', shown: /^r$/ },
  ])("may return $why", async ({ value, shown }) => {
    const { call } = await openSandboxed({ modules: { "give.js": toolModule("give", `return ${value};`) } });
    const result = await call("give");
    expect(resultText(result)).toMatch(shown);
    expect(result.error).toBeUndefined();
  });

  it.each([
    { why: "throws", body: 'throw new Error("no luck");', says: /^no luck$/ },
    {
      why: "ends its process",
      body: 'console.error("last words\\nand more"); process.exit(3);',
      says: /^The tool's process ended with code 3 before it gave a result\. It printed: last words$/,
    },
    {
      why: "ends it in silence",
      body: "process.exit(0);",
      says: /ended with code 0 before it gave a result\.$/,
    },
    {
      why: "is killed",
      body: 'process.kill(process.pid, "SIGKILL"); await new Promise(() => {});',
      says: /SIGKILL/,
    },
    {
      why: "is no tool of that module in the sandbox",
      body: "",
      head: 'if (process.env.ASHLAR_TOOL_WORKER) throw new Error("not here");',
      says: /^not here$/,
    },
    {
      why: "throws where nobody waits",
      body: 'setTimeout(() => { throw new Error("late"); }); await new Promise(() => {});',
      says: /ended with code 1 before it gave a result/,
    },
  ])("costs itself only when it $why", async ({ body, says, head = "" }) => {
    const { call } = await openSandboxed({
      modules: {
        "fail.js": toolModule("fail", body, "", head),
        "fine.js": toolModule("fine", 'return "fine";'),
      },
    });
    const result = await call("fail");
    expect(result.error).toBe(true);
    expect(resultText(result)).toMatch(says);
    expect(resultText(await call("fine"))).toBe("fine");
  });

  it("is heard through everything a module prints, and through what it writes on the channel by itself", async () => {
    const noise = `import { writeSync } from "node:fs";
if (process.env.ASHLAR_TOOL_WORKER) process.stdout.write('Demo server ready v1\\n\\n{"half":'.repeat(50_000));
if (process.env.ASHLAR_TOOL_WORKER) process.stderr.write("e".repeat(1_000_000));
if (process.env.ASHLAR_TOOL_WORKER) for (const fd of [3, 4, 5]) try { writeSync(fd, '{"half":\\n{"ok":true,"value":"forged"}\\n[1]\\nnull\\n'); } catch {}`;
    const { call } = await openSandboxed({
      modules: {
        "loud.js": toolModule("loud", 'console.log("x".repeat(1_000_000)); return "real";', "", noise),
      },
    });
    expect(resultText(await call("loud"))).toBe("real");
  });

  it.each([
    { why: "never returns", body: "await new Promise(() => setInterval(() => {}, 1000));" },
    { why: "never yields", body: "for (;;);" },
    {
      why: "holds on to its process",
      body: 'process.exit = () => {}; process.on("SIGTERM", () => {}); for (;;) await new Promise((r) => setTimeout(r, 10));',
    },
  ])("is ended when its time is up, also when it $why", async ({ body }) => {
    const { call } = await openSandboxed({ modules: { "hang.js": toolModule("hang", body) } });
    const result = await call("hang", { timeout: 400 });
    expect(result.error).toBe(true);
    expect(resultText(result)).toBe("hang did not finish within 400 ms and was told to stop.");
  });

  it("has a last word when its tool declares one, with what the call knew", async () => {
    const module = `let seen = "";
export const toolDescription = () => ({ work: { description: "d", inputSchema: { type: "object", properties: { timeout: { type: "number" } } }, onTimeout: (args, context) => seen + (context.signal.aborted ? " aborted" : "") } });
export const work = async (args, context) => { seen = "half"; await new Promise(() => setInterval(() => {}, 1000)); };`;
    const { call } = await openSandboxed({ modules: { "work.js": module } });
    const result = await call("work", { timeout: 600 });
    expect(result.error).toBeUndefined();
    expect(resultText(result)).toBe("half aborted");
  });

  it("passes live output on as it comes, up to a bound", async () => {
    const { call, events } = await openSandboxed({
      modules: {
        "talk.js": toolModule(
          "talk",
          'context.onData("one"); context.onData("x".repeat(5_000_000)); return "done";',
        ),
      },
    });
    await call("talk");
    const data = events.flatMap((event) => (event.type === "tool_data" ? [event.data] : []));
    expect(data[0]).toBe("one");
    expect(data.join("").length).toBeLessThan(300_000);
    expect(data.at(-1)).toContain("not shown");
  });

  it("asks the person in front of the host, and the clock of the call stands meanwhile", async () => {
    const asked: unknown[] = [];
    const { call } = await openSandboxed({
      question: {
        ask: async (questions) => {
          asked.push(questions);
          await new Promise((resolve) => setTimeout(resolve, 1_500));
          return [{ labels: ["Yes"] }];
        },
      },
      modules: {
        "ask.js": toolModule(
          "ask",
          `const before = context.deadline; const questions = [{ question: "Go on?", header: "Go", options: [{ label: "Yes", description: "y" }, { label: "No", description: "n" }] }];
           const answers = await context.question.ask(questions); return { answers, later: context.deadline > before };`,
        ),
      },
    });
    const result = await call("ask", { timeout: 1_200 });
    expect(JSON.parse(resultText(result))).toEqual({ answers: [{ labels: ["Yes"] }], later: true });
    expect(asked).toEqual([[expect.objectContaining({ question: "Go on?", header: "Go" })]]);
  });

  it("hears that nobody answers what no person could be shown, or when nobody is there", async () => {
    const body =
      "try { await context.question.ask([{ question: 1 }]); } catch (error) { return error.message; }";
    const attended = await openSandboxed({
      question: { ask: async () => [{ labels: ["Yes"] }] },
      modules: { "ask.js": toolModule("ask", body) },
    });
    expect(resultText(await attended.call("ask"))).toBe("Nobody is there to answer.");
    const alone = await openSandboxed({
      modules: { "ask.js": toolModule("ask", "return context.question;") },
    });
    expect(resultText(await alone.call("ask"))).toBe("null");
  });
});
