// Single requests to a model, against a fake Ollama. Exits non-zero when a claim is false.
import assert from "node:assert/strict";
import { connect, IO } from "@ashlar/io";
import { Ollama } from "@ashlar/provider-ollama";
import { startFakeOllama } from "@ashlar/testing";

const server = await startFakeOllama();
const { url } = server;
const connection = (model) => connect(Ollama, { url, model });

// #region stream
const io = new IO(connect(Ollama, { url, model: "ok" }));

let text = "";
for await (const event of io.stream("Say hello.")) {
  if (event.type === "text_delta") text += event.text;
  if (event.type === "error") throw new Error(`${event.kind}: ${event.error}`);
}
// #endregion
assert.equal(text, "Hello from the fake model.");

// #region collect
const context = [
  { type: 1, content: [{ type: "text", text: "Answer in one word." }] },
  { type: 2, content: [{ type: "text", text: "Say hello." }] },
];
const end = await io.write(context, () => undefined);
if (end.type === "done") {
  console.log(end.message.content, end.usage.inputTokens, end.usage.outputTokens);
  context.push(end.message); // the next request takes the whole conversation again
}
// #endregion
assert.equal(end.type, "done");
assert.deepEqual(end.message.content, [{ type: "text", text: "Hello from the fake model." }]);
await io.close();

// #region failure
const refused = await new IO(connection("401")).write("Say hello.", () => undefined);
if (refused.type === "error") {
  console.log(refused.kind); // auth, network, provider, malformed or cancelled
  console.log(refused.error); // a sentence, in the server's own words where it had some
  console.log(refused.status, refused.retryable, refused.retryAfterMs);
}
// #endregion
assert.deepEqual([refused.type, refused.kind, refused.status], ["error", "auth", 401]);

// #region cancel
const slow = new IO(connection("slow"));
for await (const event of slow.stream("Say hello.")) {
  if (event.type === "text_delta") break; // leaving the loop closes the connection
}

const stop = new AbortController();
const stopped = slow.write("Say hello.", () => stop.abort(), { signal: stop.signal });
// #endregion
assert.equal((await stopped).kind, "cancelled");
await slow.close();

// #region limits
const patient = new IO(connection("stall"), { timeouts: { firstEventMs: 600_000, idleMs: 120_000 } });
const late = await patient.write("Say hello.", () => undefined, { timeouts: { firstEventMs: 50 } });
// #endregion
assert.equal(late.kind, "network");
assert.match(late.error, /within 50 ms\. The limit is the setting "firstEventTimeout"/);

// #region tools
const tools = [
  {
    name: "read",
    description: "Reads a file.",
    inputSchema: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
  },
];
const asked = await new IO(connection("read")).write("What does README.md say?", () => undefined, { tools });
const calls = asked.message.content.filter((block) => block.type === "toolCall");
console.log(calls); // [{ type: "toolCall", callId, name: "read", arguments: { path: "README.md" } }]
// #endregion
assert.deepEqual([calls[0].name, calls[0].arguments], ["read", { path: "README.md" }]);

await server.close();
