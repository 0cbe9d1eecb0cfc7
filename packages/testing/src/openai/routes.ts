import { isRecord } from "../decode.js";
import type { RefusalReply } from "../reply.js";
import type { WireRoute } from "../wire-route.js";
import { OpenAIChatEncoder } from "./chat-encoder.js";
import { hearOpenAIChat } from "./hear-chat.js";
import { hearOpenAIResponses } from "./hear-responses.js";
import { OpenAIResponsesEncoder } from "./responses-encoder.js";

export const openAIChat: WireRoute = {
  hear: hearOpenAIChat,
  encoder: ({ model, body }, now) =>
    new OpenAIChatEncoder({
      model,
      created: seconds(now),
      includeUsage: isRecord(body.stream_options) && body.stream_options.include_usage === true,
    }),
  streamsByDefault: false,
  refusal,
};

export const openAIResponses: WireRoute = {
  hear: hearOpenAIResponses,
  encoder: ({ model }, now) => new OpenAIResponsesEncoder(model, seconds(now)),
  streamsByDefault: false,
  refusal,
};

/** `/v1/models`. */
export function modelsBody(names: Iterable<string>): unknown {
  const data = [...names].map((id) => ({ id, object: "model", created: 0, owned_by: "fake" }));
  return { object: "list", data };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  429: "rate_limit_error",
};

function refusal({ status, error, fields }: RefusalReply): unknown {
  return {
    error: {
      message: error,
      type: ERROR_TYPES[status] ?? "server_error",
      code: null,
      param: null,
      ...fields,
    },
  };
}

function seconds(now: Date): number {
  return Math.floor(now.getTime() / 1000);
}
