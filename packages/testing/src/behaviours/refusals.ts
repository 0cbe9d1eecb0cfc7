import { estimatedTokens, type Question } from "../question.js";
import type { RefusalReply, Reply } from "../reply.js";
import type { Behaviour } from "./behaviour.js";
import { saying } from "./spoken.js";

const SMALL_WINDOW = 4096;

/** Models that answer with an HTTP error, always or at first. */
export const refusals: readonly Behaviour[] = [
  {
    name: "400",
    about: "Refuses every request with 400.",
    reply: () => ({ status: 400, error: "the request is not valid for this model" }),
  },
  {
    name: "401",
    about: "Refuses every request with 401.",
    reply: () => ({
      status: 401,
      error: "unauthorized",
      fields: { signin_url: "https://ollama.com/connect" },
    }),
  },
  {
    name: "403",
    about: "Refuses every request with 403.",
    reply: () => ({ status: 403, error: "forbidden" }),
  },
  {
    name: "404",
    about: "Is listed, but not found when asked.",
    reply: ({ model }) => notFound(model),
  },
  {
    name: "429",
    about: "Refuses every request with 429 and `Retry-After: 1`.",
    reply: () => ({ status: 429, error: "rate limit reached", headers: { "retry-after": "1" } }),
  },
  {
    name: "429-then-ok",
    about: "Refuses with 429 and `Retry-After: 1`, then answers; and so on by turns.",
    reply: ({ attempt }) =>
      attempt % 2 === 0
        ? { status: 429, error: "rate limit reached", headers: { "retry-after": "1" } }
        : saying("Hello after a rest."),
  },
  {
    name: "500",
    about: "Fails every request with 500.",
    reply: () => ({ status: 500, error: "the runner has stopped unexpectedly" }),
  },
  {
    name: "500-then-ok",
    about: "Fails with 500, then answers; and so on by turns.",
    reply: ({ attempt }) =>
      attempt % 2 === 0
        ? { status: 500, error: "the runner has stopped" }
        : saying("Hello at the second try."),
  },
  {
    name: "503",
    about: "Is always too busy: 503 with `Retry-After: 0`.",
    reply: () => ({ status: 503, error: "server busy, please try again", headers: { "retry-after": "0" } }),
  },
  {
    name: "tool-parse-error",
    about: "Fails with the 500 of a server that could not parse its model's tool call.",
    reply: () => ({
      status: 500,
      error:
        "error parsing tool call: raw='{\"path\": README.md', err=invalid character 'R' looking for beginning of value",
    }),
  },
  {
    name: "overflow",
    about: "Refuses every request because the prompt is longer than its window, and names both numbers.",
    facts: { allocates: SMALL_WINDOW },
    reply: (question) => overflow(question, Math.max(estimatedTokens(question.body), SMALL_WINDOW + 1)),
  },
  {
    name: "small-window",
    about: "Has a window of 4,096 tokens and refuses what is longer, by a quarter of its bytes.",
    facts: { allocates: SMALL_WINDOW, contextLength: SMALL_WINDOW },
    reply: (question) => {
      const needed = estimatedTokens(question.body);
      if (needed <= SMALL_WINDOW) return saying("It fits.", { finish: { inputTokens: needed } });
      return overflow(question, needed);
    },
  },
];

export function notFound(model: string): RefusalReply {
  return { status: 404, error: `model '${model}' not found` };
}

function overflow({ wire }: Question, needed: number): Reply {
  const message = `request (${needed} tokens) exceeds the available context size (${SMALL_WINDOW} tokens), try increasing it`;
  if (wire !== "ollama") return { status: 400, error: message, fields: { code: "context_length_exceeded" } };
  const inner = {
    code: 400,
    message,
    type: "exceed_context_size_error",
    n_prompt_tokens: needed,
    n_ctx: SMALL_WINDOW,
  };
  return { status: 400, error: JSON.stringify({ error: inner }) };
}
