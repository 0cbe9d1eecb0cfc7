import { OpenAI } from "../../../src/index.js";
import type { ProviderSubject } from "../../../src/testing/index.js";

/** The Responses API as OpenAI sends it. */
export const responsesSubject: ProviderSubject = {
  Provider: OpenAI,
  wire: {
    path: "/v1/responses",
    basePath: "/v1",
    framing: "sse",
    recordings: {
      models: {
        route: "GET /v1/models",
        answer: { object: "list", data: [{ id: "m1" }, { id: "m2" }] },
        ids: ["m1", "m2"],
      },
      text: { text: "Hello there.", frames: [created(), ...message(0, ["Hello", " there."]), completed()] },
      unicode: { text: "é🙂日 ok", frames: [created(), ...message(0, ["é🙂", "日 ok"]), completed()] },
      empty: { frames: [created(), completed()] },
      errorBefore: [
        {
          status: 404,
          body: { error: { message: "The model 'x' does not exist.", code: "model_not_found" } },
          kind: "provider",
          says: "does not exist",
        },
        {
          status: 429,
          body: { error: { message: "You exceeded your current quota.", code: "insufficient_quota" } },
          kind: "provider",
          says: "quota",
        },
      ],
      errorAfter200: {
        text: "Half an ans",
        says: "it broke",
        frames: [
          created(),
          ...message(0, ["Half an ans"]).slice(0, 2),
          {
            type: "response.failed",
            response: { status: "failed", error: { code: "server_error", message: "it broke" } },
          },
        ],
      },
      usage: {
        frames: [
          created(),
          ...message(0, ["hi"]),
          completed({ input_tokens: 7, output_tokens: 3, input_tokens_details: { cached_tokens: 5 } }),
        ],
        inputTokens: 7,
        outputTokens: 3,
        cachedInputTokens: 5,
      },
      toolCalls: { calls: [read("a.txt")], frames: [created(), ...call(0, "c_a", "a.txt"), completed()] },
      parallelCalls: [
        {
          why: "one after the other",
          calls: [read("a.txt"), read("b.txt")],
          frames: [created(), ...call(0, "c_a", "a.txt"), ...call(1, "c_b", "b.txt"), completed()],
        },
        {
          why: "interleaved",
          calls: [read("a.txt"), read("b.txt")],
          frames: [created(), ...interleaved(call(0, "c_a", "a.txt"), call(1, "c_b", "b.txt")), completed()],
        },
        {
          why: "one id for both",
          calls: [read("a.txt"), read("b.txt")],
          frames: [created(), ...call(0, "same", "a.txt"), ...call(1, "same", "b.txt"), completed()],
        },
      ],
      cutArguments: {
        frames: [
          created(),
          ...call(0, "c", "notes.md").slice(0, 2),
          {
            type: "response.incomplete",
            response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
          },
        ],
      },
      thinking: {
        thinking: "hm, so",
        text: "yes",
        frames: [
          created(),
          {
            type: "response.output_item.added",
            output_index: 0,
            item: { type: "reasoning", id: "rs_1", summary: [] },
          },
          { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "hm," },
          { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: " so" },
          {
            type: "response.output_item.done",
            output_index: 0,
            item: { type: "reasoning", id: "rs_1", encrypted_content: "sealed" },
          },
          ...message(1, ["yes"]),
          completed(),
        ],
      },
    },
  },
};

function created(): unknown {
  return { type: "response.created", response: { status: "in_progress" } };
}

function completed(usage?: unknown): unknown {
  return { type: "response.completed", response: { status: "completed", usage } };
}

function message(output_index: number, deltas: readonly string[]): readonly unknown[] {
  return [
    {
      type: "response.output_item.added",
      output_index,
      item: { type: "message", role: "assistant", content: [] },
    },
    ...deltas.map((delta) => ({ type: "response.output_text.delta", output_index, content_index: 0, delta })),
    {
      type: "response.output_item.done",
      output_index,
      item: { type: "message", content: [{ type: "output_text", text: deltas.join("") }] },
    },
  ];
}

function call(output_index: number, call_id: string, path: string): readonly unknown[] {
  const item = { type: "function_call", call_id, name: "read" };
  return [
    { type: "response.output_item.added", output_index, item: { ...item, arguments: "" } },
    { type: "response.function_call_arguments.delta", output_index, delta: '{"path":' },
    { type: "response.function_call_arguments.delta", output_index, delta: `"${path}"}` },
    { type: "response.output_item.done", output_index, item: { ...item, arguments: `{"path":"${path}"}` } },
  ];
}

function read(path: string) {
  return { name: "read", arguments: { path } };
}

function interleaved(first: readonly unknown[], second: readonly unknown[]): readonly unknown[] {
  return first.flatMap((frame, i) => [frame, second[i]]);
}
