import { fileURLToPath } from "node:url";
import { createContext, runInContext } from "node:vm";
import { build } from "esbuild";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

const PROGRAM = `
  import { idleState, step, resultOf, readToolValue } from "@ashlar/agent/loop";
  const policy = {
    retry: { attempts: 3, base: 1, max: 2 },
    context: { cap: 0.9, turn: 0.4, assumedWindow: 1000 },
    repetition: { stop: 8 },
  };
  const answer = { type: 3, content: readToolValue("hello").content };
  let state = idleState(policy);
  for (const input of [
    { type: "run" },
    { type: "prepared", tokens: 1, window: undefined, received: true },
    { type: "answered", terminal: { type: "done", message: answer }, now: 0, random: 0 },
    { type: "stored", pending: false },
  ]) state = step(state, input).state;
  globalThis.seen = JSON.stringify(resultOf(state.memory, state.outcome));
`;

it("runs where there is no Node", async () => {
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "iife",
    platform: "browser",
    conditions: ["browser"],
    tsconfig: `${root}tsconfig.json`,
    logLevel: "silent",
  });
  const sandbox: Record<string, unknown> = {};
  sandbox.globalThis = sandbox;
  runInContext(outputFiles[0]?.text ?? "", createContext(sandbox));
  expect(JSON.parse(String(sandbox.seen))).toMatchObject({
    kind: "success",
    message: { content: [{ text: "hello" }] },
  });
});
