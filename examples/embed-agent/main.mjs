// An agent in a program, on the scripted model. Exits non-zero when a claim is false.
import assert from "node:assert/strict";
import { Agent, AgentEnv } from "@ashlar/agent";
import { Test } from "@ashlar/provider-test";

const script = [
  { toolCall: { name: "stock", arguments: { article: "granite" } } },
  { text: "There are 12 blocks of granite." },
];

// #region env
const env = await AgentEnv.open(process.cwd(), {
  layers: [], // no settings file is read or written
  collect: false, // no server is looked for
  providers: { test: Test },
  settings: { providers: { test: { models: { clerk: { script } } } } },
  tools: [
    {
      stock: {
        safe: true,
        description: "Says how many blocks of an article are in stock.",
        inputSchema: { type: "object", properties: { article: { type: "string" } }, required: ["article"] },
        fn: ({ article }) => ({ article, blocks: 12 }),
      },
    },
  ],
});
// #endregion

// #region run
const agent = new Agent({ env, model: "test/clerk", systemPrompt: "You keep the stock of a quarry." });
agent.send("How much granite is there?");
const result = await agent.run();

console.log(result.status, result.exitCode); // completed 0
console.log(result.message.content); // [{ type: "text", text: "There are 12 blocks of granite." }]
console.log(result.requests, result.usage.inputTokens, result.usage.outputTokens);
// #endregion
assert.deepEqual([result.status, result.exitCode, result.requests], ["completed", 0, 2]);
assert.equal(result.message.content[0].text, "There are 12 blocks of granite.");
assert.equal(agent.context.length, 5); // system, question, call, result, answer

// #region events
const lines = [];
const watched = new Agent({ env, model: "test/clerk" });
const unsubscribe = watched.subscribe((event) => lines.push(JSON.stringify(event)));
watched.onEvent(Agent.EVENT.TOOL_RESULT, ({ result }) => console.log(result.name, result.content));
watched.onEvent(Agent.EVENT.TEXT_DELTA, ({ text }) => process.stdout.write(text));
// #endregion
watched.send("How much granite is there?");
await watched.run();
unsubscribe();
assert.equal(JSON.parse(lines[0]).type, "start");
assert.equal(JSON.parse(lines.at(-1)).type, "result");

// #region budget
const frugal = new Agent({ env, model: "test/clerk", budget: { requests: 1, duration: "2m" } });
frugal.send("How much granite is there?");
const { kind, exitCode, stop } = await frugal.run();
console.log(kind, exitCode, stop); // budget 6 { rule: "requests", used: 1, limit: 1 }
// #endregion
assert.deepEqual([kind, exitCode, stop], ["budget", 6, { rule: "requests", used: 1, limit: 1 }]);

// #region stream
const remote = new Agent({
  env,
  model: "somewhere/else",
  systemPrompt: false, // nothing but what is sent; by default AGENTS.md of user and project
  stream: async (context, sink, { signal, tools }) => {
    const text = `I see ${context.length} items and ${tools.length} tool.`;
    sink({ type: "text_delta", contentIndex: 0, text });
    if (signal.aborted) return { type: "error", kind: "cancelled", error: "stopped" };
    return { type: "done", doneReason: "stop", message: { type: 3, content: [{ type: "text", text }] } };
  },
});
// #endregion
remote.send("What do you see?");
const seen = await remote.run();
assert.equal(seen.message.content[0].text, "I see 1 items and 1 tool.");

// #region cancel
const slow = new Agent({ env, model: "test/clerk" });
slow.send("How much granite is there?");
slow.onEvent(Agent.EVENT.TOOL_EXECUTE, () => slow.cancel());
const cancelled = await slow.run(); // or: slow.run({ signal })
console.log(cancelled.status, cancelled.exitCode); // cancelled 130
// #endregion
assert.deepEqual([cancelled.status, cancelled.exitCode], ["cancelled", 130]);

// #region close
for (const open of env.agents()) await open.close();
await env.close();
// #endregion
assert.ok(agent.closed && env.closed);
