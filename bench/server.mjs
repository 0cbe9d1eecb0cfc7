// A fake LLM server in a process of its own, scripted by the model name, on both wires (Ollama NDJSON, Chat Completions SSE):
//   s-N-M    N text deltas, M in one socket write, as fast as the reader takes them
//   t-K      K rounds of one tool call `echo`, then text
//   p-P      one response with P tool calls `sleep`, then text
//   stall-N  N deltas, then silence on an open connection
// GET /stats?reset=1 tells when each model's last response closed and whether it was complete.
import { createServer } from "node:http";

const WORDS = [
  "the ",
  "quic",
  "k br",
  "own ",
  "fox ",
  "jump",
  "s ov",
  "er a",
  " laz",
  "y do",
  "g. “",
  "\nNew",
  ' "q"',
  " fn(",
  ");\n\n",
  "日本 ",
];
const CREATED = "2026-11-30T00:00:00.000000000Z";

const ollama = {
  contentType: "application/x-ndjson",
  line: (model, message) =>
    `${JSON.stringify({ model, created_at: CREATED, message: { role: "assistant", ...message }, done: false })}\n`,
  delta: (model, content) => ollama.line(model, { content }),
  calls: (model, calls) =>
    calls
      .map(({ id, index, name, args }) =>
        ollama.line(model, { content: "", tool_calls: [{ id, function: { index, name, arguments: args } }] }),
      )
      .join(""),
  end: (model, count) =>
    `${JSON.stringify({ model, created_at: CREATED, message: { role: "assistant", content: "" }, done: true, done_reason: "stop", prompt_eval_count: 10, eval_count: count })}\n`,
};

const openai = {
  contentType: "text/event-stream",
  frame: (model, choices, usage) =>
    `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1764460800, model, choices, ...usage })}\n\n`,
  choice: (model, delta, finish = null) =>
    openai.frame(model, [{ index: 0, delta, logprobs: null, finish_reason: finish }]),
  delta: (model, content) => openai.choice(model, { content }),
  calls: (model, calls) =>
    calls
      .map(
        ({ id, index, name, args }) =>
          openai.choice(model, {
            tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }],
          }) +
          openai.choice(model, { tool_calls: [{ index, function: { arguments: JSON.stringify(args) } }] }),
      )
      .join(""),
  end: (model, count, calls) =>
    openai.choice(model, {}, calls ? "tool_calls" : "stop") +
    openai.frame(model, [], {
      usage: { prompt_tokens: 10, completion_tokens: count, total_tokens: count + 10 },
    }) +
    "data: [DONE]\n\n",
};

const wires = new Map([
  ["/api/chat", ollama],
  ["/v1/chat/completions", openai],
]);
const TOOL_MESSAGE = Buffer.from('"role":"tool"');

const stats = { requests: 0, connections: 0, closed: {} };

function occurrences(buffer, pattern) {
  let count = 0;
  for (let at = buffer.indexOf(pattern); at !== -1; at = buffer.indexOf(pattern, at + 1)) count += 1;
  return count;
}

/** Writes `count` deltas, `perWrite` in one write, from blocks encoded once, and stops when the reader leaves. */
async function pump(response, count, perWrite, encode) {
  const cycle = Math.max(1, Math.ceil(WORDS.length / perWrite));
  const words = (from, length) =>
    Array.from({ length }, (_, offset) => encode(WORDS[(from + offset) % WORDS.length])).join("");
  const blocks = Array.from({ length: cycle }, (_, index) => Buffer.from(words(index * perWrite, perWrite)));
  let wake = () => {};
  response.on("close", () => wake());
  response.on("drain", () => wake());
  const writes = Math.floor(count / perWrite);
  for (let index = 0; index < writes && !response.destroyed; index += 1) {
    if (!response.write(blocks[index % cycle]) && !response.destroyed)
      await new Promise((resolve) => (wake = resolve));
  }
  if (count % perWrite > 0 && !response.destroyed) response.write(words(0, count % perWrite));
}

const TEXT_DELTAS = 4;

/** What the model's name asks for, given how many tool results the request holds. */
function script(model, rounds) {
  const [kind, first, second] = model.split("-");
  const size = Number(first);
  if (kind === "t" && rounds < size)
    return { calls: [{ index: 0, id: `call_${rounds}`, name: "echo", args: { i: rounds } }] };
  if (kind === "p" && rounds < size)
    return {
      calls: Array.from({ length: size }, (_, index) => ({
        index,
        id: `call_${index}`,
        name: "sleep",
        args: { i: index },
      })),
    };
  if (kind === "s") return { deltas: size, perWrite: Number(second) };
  if (kind === "stall") return { deltas: size, perWrite: 1, stalls: true };
  return { deltas: TEXT_DELTAS, perWrite: 1 };
}

async function answer(request, response, body) {
  const wire = wires.get(new URL(request.url, "http://server").pathname);
  if (!wire) return metadata(request, response);
  stats.requests += 1;
  // The name is read without parsing: a large body would make the server the bottleneck.
  const model = /"model":"([^"]+)"/.exec(body.toString("latin1"))?.[1] ?? "s-10-1";
  let complete = false;
  response.on("finish", () => (complete = true));
  response.on("close", () => (stats.closed[model] = { at: String(process.hrtime.bigint()), complete }));
  const {
    calls,
    deltas = TEXT_DELTAS,
    perWrite = 1,
    stalls,
  } = script(model, occurrences(body, TOOL_MESSAGE));
  response.writeHead(200, { "content-type": wire.contentType });
  response.socket?.setNoDelay(true);
  if (calls) response.write(wire.calls(model, calls));
  else await pump(response, deltas, perWrite, (text) => wire.delta(model, text));
  if (!stalls && !response.destroyed) response.end(wire.end(model, deltas, calls !== undefined));
}

function metadata(request, response) {
  const { pathname, searchParams } = new URL(request.url, "http://server");
  const body = {
    "/stats": stats,
    "/api/version": { version: "0.40.0" },
    "/api/tags": { models: [] },
    "/api/ps": { models: [] },
    "/api/show": {
      capabilities: ["tools", "completion"],
      model_info: { "general.architecture": "x", "x.context_length": 131072 },
      details: {},
    },
  }[pathname];
  if (!body) response.statusCode = 404;
  response.end(JSON.stringify(body ?? { error: "not found" }));
  if (searchParams.get("reset")) Object.assign(stats, { requests: 0, closed: {} });
}

const server = createServer((request, response) => {
  const chunks = [];
  request.on("data", (chunk) => chunks.push(chunk));
  request.on("end", () => answer(request, response, Buffer.concat(chunks)));
});
server.on("connection", () => (stats.connections += 1));
server.keepAliveTimeout = 60_000;
server.requestTimeout = 0;
server.listen(0, "127.0.0.1", () => console.log(`PORT ${server.address().port}`));
