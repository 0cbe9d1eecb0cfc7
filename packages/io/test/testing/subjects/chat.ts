import { OpenAIChat } from "../../../src/index.js";
import type { ProviderSubject } from "../../../src/testing/index.js";

const DONE = "[DONE]";

/** Chat Completions as LM Studio, vLLM and llama.cpp send it. */
export const chatSubject: ProviderSubject = {
  Provider: OpenAIChat,
  wire: {
    path: "/v1/chat/completions",
    basePath: "/v1",
    framing: "sse",
    recordings: {
      models: {
        route: "GET /v1/models",
        answer: { object: "list", data: [{ id: "m1" }, { id: "m2" }] },
        ids: ["m1", "m2"],
      },
      text: {
        text: "Hello there.",
        frames: [
          delta({ role: "assistant", content: "" }),
          delta({ content: "Hello" }),
          delta({ content: " there." }),
          finish("stop"),
          DONE,
        ],
      },
      unicode: {
        text: "é🙂日 ok",
        frames: [delta({ content: "é🙂" }), delta({ content: "日 ok" }), finish("stop"), DONE],
      },
      empty: { frames: [delta({ role: "assistant", content: "" }), finish("stop"), DONE] },
      errorBefore: [
        {
          status: 404,
          body: { error: { message: "model 'x' not found", type: "invalid_request_error" } },
          kind: "provider",
          says: "model 'x' not found",
        },
        { status: 400, body: { error: "No models loaded." }, kind: "provider", says: "No models loaded." },
      ],
      errorAfter200: {
        text: "Half an ans",
        frames: [
          delta({ content: "Half an ans" }),
          { error: { message: "upstream overloaded", code: 529 } },
          DONE,
        ],
        says: "upstream overloaded",
      },
      usage: {
        frames: [
          delta({ content: "hi" }),
          finish("stop"),
          {
            choices: [],
            usage: { prompt_tokens: 7, completion_tokens: 3, prompt_tokens_details: { cached_tokens: 5 } },
          },
          DONE,
        ],
        inputTokens: 7,
        outputTokens: 3,
        cachedInputTokens: 5,
      },
      toolCalls: {
        calls: [{ name: "read", arguments: { path: "a.txt" } }],
        frames: [
          call({ index: 0, id: "c_a", function: { name: "read", arguments: "" } }),
          call({ index: 0, function: { arguments: '{"path":"a.txt"}' } }),
          finish("tool_calls"),
          DONE,
        ],
      },
      parallelCalls: [
        {
          why: "one index for all calls, and the finish word stop",
          calls: twoReads(),
          frames: [...colliding({ index: 0 }), finish("stop"), DONE],
        },
        { why: "no index", calls: twoReads(), frames: [...colliding({}), finish("stop"), DONE] },
        {
          why: "fragments interleaved, ids only in the first",
          calls: twoReads(),
          frames: [
            call({ index: 0, id: "c_a", function: { name: "read", arguments: "" } }),
            call({ index: 1, id: "c_b", function: { name: "read", arguments: "" } }),
            call({ index: 0, function: { arguments: '{"path":' } }),
            call({ index: 1, function: { arguments: '{"path":' } }),
            call({ index: 0, function: { arguments: '"a.txt"}' } }),
            call({ index: 1, function: { arguments: '"b.txt"}' } }),
            finish("tool_calls"),
            DONE,
          ],
        },
      ],
      cutArguments: {
        frames: [
          call({
            index: 0,
            id: "c",
            function: { name: "write", arguments: '{"path":"notes.md","content":"# Plan\\n1. fi' },
          }),
          finish("tool_calls"),
          DONE,
        ],
      },
      thinking: {
        thinking: "hm, so",
        text: "yes",
        frames: [
          delta({ reasoning_content: "hm," }),
          delta({ reasoning_content: " so" }),
          delta({ content: "yes" }),
          finish("stop"),
          DONE,
        ],
      },
    },
  },
};

function twoReads() {
  return [
    { name: "read", arguments: { path: "a.txt" } },
    { name: "read", arguments: { path: "b.txt" } },
  ];
}

function colliding(index: { readonly index?: number }): readonly unknown[] {
  return [
    call({ ...index, id: "c_a", function: { name: "read", arguments: "" } }),
    call({ ...index, function: { arguments: '{"path":"a.txt"}' } }),
    call({ ...index, id: "c_b", function: { name: "read", arguments: '{"path":' } }),
    call({ ...index, function: { arguments: '"b.txt"}' } }),
  ];
}

function delta(fields: unknown): unknown {
  return { choices: [{ index: 0, delta: fields }] };
}

function call(fragment: unknown): unknown {
  return delta({ tool_calls: [fragment] });
}

function finish(word: string): unknown {
  return { choices: [{ index: 0, delta: {}, finish_reason: word }] };
}
