import { fileURLToPath } from "node:url";
import { type ProviderSubject, providerConformance, type RecordedCall, unmetNeed } from "@ashlar/io/testing";
import { describe, it } from "vitest";
import { Ollama } from "../src/index.js";

const say = (content: string): object => ({
  model: "m",
  message: { role: "assistant", content },
  done: false,
});
const call = (id: string, path: string): object => ({ id, function: { name: "read", arguments: { path } } });
const calling = (...tool_calls: readonly object[]): object => ({
  model: "m",
  message: { role: "assistant", content: "", tool_calls },
  done: false,
});
const end = (more: object = {}): object => ({
  model: "m",
  message: { role: "assistant", content: "" },
  done: true,
  done_reason: "stop",
  prompt_eval_count: 11,
  eval_count: 5,
  ...more,
});
const wanted = (...paths: readonly string[]): readonly RecordedCall[] =>
  paths.map((path) => ({ name: "read", arguments: { path } }));

const subject: ProviderSubject = {
  Provider: Ollama,
  folder: fileURLToPath(new URL("..", import.meta.url)),
  wire: {
    path: "/api/chat",
    framing: "ndjson",
    routes: {
      "GET /api/version": { version: "0.40.12" },
      "GET /api/ps": { models: [] },
      "POST /api/show": {
        model_info: { "general.architecture": "fake", "fake.context_length": 131_072 },
        capabilities: ["completion", "tools", "thinking", "vision"],
        thinking: { values: [true, false], default: true },
      },
    },
    recordings: {
      text: { text: "Hello there.", frames: [say("Hello"), say(" there."), end()] },
      unicode: { text: "é🙂日 ok", frames: [say("é🙂日"), say(" ok"), end()] },
      empty: { frames: [end({ eval_count: 0 })] },
      errorBefore: [
        {
          status: 401,
          body: { error: "unauthorized", signin_url: "https://ollama.com" },
          kind: "auth",
          says: "unauthorized",
        },
        {
          status: 400,
          body: { error: "m does not support tools" },
          kind: "provider",
          says: "does not support tools",
        },
        {
          status: 503,
          body: { error: "server busy, please try again" },
          kind: "provider",
          says: "server busy",
        },
      ],
      errorAfter200: {
        text: "Half an ans",
        frames: [say("Half an ans"), { error: "runner stopped: out of memory" }],
        says: "out of memory",
      },
      usage: {
        inputTokens: 900,
        outputTokens: 12,
        cachedInputTokens: 800,
        frames: [say("Hi."), end({ prompt_eval_count: 900, prompt_eval_cached_count: 800, eval_count: 12 })],
      },
      toolCalls: { frames: [calling(call("call_1", "a.txt")), end()], calls: wanted("a.txt") },
      parallelCalls: [
        {
          why: "each in a frame",
          frames: [calling(call("call_1", "a.txt")), calling(call("call_2", "b.txt")), end()],
          calls: wanted("a.txt", "b.txt"),
        },
        {
          why: "both in one frame",
          frames: [calling(call("call_1", "a.txt"), call("call_2", "b.txt")), end()],
          calls: wanted("a.txt", "b.txt"),
        },
        {
          why: "the second in the last frame",
          frames: [
            calling(call("call_1", "a.txt")),
            end({ message: { content: "", tool_calls: [call("call_2", "b.txt")] } }),
          ],
          calls: wanted("a.txt", "b.txt"),
        },
        {
          why: "one id for both",
          frames: [calling(call("call_1", "a.txt")), calling(call("call_1", "b.txt")), end()],
          calls: wanted("a.txt", "b.txt"),
        },
        {
          why: "no ids",
          frames: [
            calling(
              { function: { name: "read", arguments: { path: "a.txt" } } },
              { function: { name: "read", arguments: { path: "b.txt" } } },
            ),
            end(),
          ],
          calls: wanted("a.txt", "b.txt"),
        },
      ],
      cutArguments: {
        frames: [
          calling({
            id: "call_1",
            function: { name: "write", arguments: '{"path":"notes.md","content":"# Pl' },
          }),
          end({ done_reason: "length" }),
        ],
      },
      thinking: {
        thinking: "Let me see.",
        text: "Yes.",
        frames: [{ ...say(""), message: { content: "", thinking: "Let me see." } }, say("Yes."), end()],
      },
      models: {
        route: "GET /api/tags",
        answer: {
          models: [
            {
              name: "m:latest",
              model: "m:latest",
              digest: "conformance",
              details: { context_length: 4096 },
              capabilities: ["completion"],
            },
          ],
        },
        ids: ["m", "m:latest"],
      },
    },
  },
};

describe("Ollama, as every provider", () => {
  for (const each of providerConformance) {
    it.skipIf(unmetNeed(each, subject) !== undefined)(`${each.name}: ${each.why}`, () => each.run(subject));
  }
});
