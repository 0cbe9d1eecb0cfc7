// Runs inside a folder with all packages installed from tarballs, on whatever runtime starts it.
import assert from "node:assert/strict";
import { Agent, AgentEnv } from "@ashlar/agent";
import { messageUser } from "@ashlar/context";
import { connect, IO } from "@ashlar/io";
import { Ollama } from "@ashlar/provider-ollama";
import { Test } from "@ashlar/provider-test";
import { toolsRoot } from "@ashlar/tools-std";

const io = new IO(connect(Ollama, { url: process.env.OLLAMA_HOST, model: "ok" }));
let text = "";
for await (const event of io.stream([messageUser("Say hello.")]))
  if (event.type === "text_delta") text += event.text;
await io.close();
assert.ok(text.length > 0, "a streamed answer has text");

const env = await AgentEnv.open(process.cwd(), {
  layers: [],
  providers: { test: Test },
  tools: [toolsRoot],
  collect: false,
});
const agent = new Agent({ env, model: "test/read" });
agent.send("What does README.md say?");
const result = await agent.run();
assert.equal(result.status, "completed");
assert.match(JSON.stringify(agent.context.messages()), /Stone bridge/);
await agent.close();
await env.close();
console.log("ok");
