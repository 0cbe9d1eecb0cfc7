import type { CatalogueQuery, Message, WireContext, WireMessage } from "@ashlar/context/provider";
import { authorization } from "../authorization.js";
import { apiUrl, type BaseUrlOptions } from "../base-url.js";
import { classifyOpenAIError } from "../openai-error.js";
import { openaiModels } from "../openai-models.js";
import { reportRateLimits } from "../rate-limit-headers.js";
import { requestSettings } from "../request-settings.js";
import { isStrictSchema } from "../strict-schema.js";
import type { Wire } from "../wire.js";
import { type ChatCompat, chatCompat } from "./compat.js";
import { ChatStream } from "./events.js";
import { chatMessages } from "./messages.js";

type Fields = Readonly<Record<string, unknown>>;

/** Chat Completions over SSE. What servers do differently is declared in the setting `compat`. */
export const chatWire: Wire = {
  framing: "sse",
  context2msg,
  send: ([headers, body], base, io) => {
    const url = apiUrl(io.url, "chat/completions", urlOptions(io.settings, io.endpoint));
    return base({ url, method: "POST", headers, body });
  },
  msg2events: (frame, state) => {
    const stream = state.stream instanceof ChatStream ? state.stream : new ChatStream();
    state.stream = stream;
    return stream.push(frame);
  },
  reportPlanUsage: reportRateLimits,
  classifyError: classifyOpenAIError,
  models: (query) => openaiModels(query, urlOptions(query.settings)),
  testConnection: async (query: CatalogueQuery) => ({
    models: Object.keys(await openaiModels(query, urlOptions(query.settings))).length,
  }),
};

function context2msg(context: readonly Message[], io: WireContext): WireMessage {
  const compat = chatCompat(io.settings, (text) => mentionOnce(io, text));
  const { body, headers, maxTokens, temperature, topP, seed, stop } = requestSettings(io.settings);
  const request: Fields = {
    ...body,
    model: io.model,
    messages: chatMessages(context, compat, io.info),
    ...toolFields(io, compat),
    ...(maxTokens !== undefined && { [compat.maxTokensField]: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...(seed !== undefined && { seed }),
    ...(stop !== undefined && { stop }),
    ...thinkingFields(io.thinking, compat),
    ...formatFields(io.format, compat),
    stream: true,
    ...(compat.usageInStream && { stream_options: { include_usage: true } }),
  };
  return [{ ...headers, ...authorization(io.auth) }, request];
}

function toolFields(io: WireContext, compat: ChatCompat): Fields {
  if (io.tools.length === 0) return {};
  return {
    tools: io.tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    })),
    ...(compat.parallelToolCalls !== "unset" && { parallel_tool_calls: compat.parallelToolCalls }),
  };
}

function thinkingFields(mode: string | undefined, { thinkingFormat }: ChatCompat): Fields {
  if (mode === undefined) return {};
  switch (thinkingFormat) {
    case "reasoning_effort":
      return { reasoning_effort: mode };
    case "reasoning":
      return { reasoning: { effort: mode } };
    case "enable_thinking":
      return { chat_template_kwargs: { enable_thinking: mode !== "none" && mode !== "off" } };
    case "none":
      return {};
  }
}

function formatFields(format: WireContext["format"], { formatField }: ChatCompat): Fields {
  if (format === undefined) return {};
  if (format === "json" || formatField === "json_object") return { response_format: { type: "json_object" } };
  const schema = { name: "answer", schema: format, strict: isStrictSchema(format) };
  return { response_format: { type: "json_schema", json_schema: schema } };
}

function mentionOnce(io: WireContext, text: string): void {
  const key = "openai-chat.unknown-compat";
  if (io.session.has(key)) return;
  io.session.set(key, true);
  io.warn(text);
}

function urlOptions(settings: Fields, endpoint?: string): BaseUrlOptions {
  const { apiPrefix } = chatCompat(settings);
  return { prefix: apiPrefix, key: endpoint === undefined ? "url" : `providers.${endpoint}.url` };
}
