import type { WireRoute } from "../wire-route.js";
import { OllamaChatEncoder } from "./chat-encoder.js";
import { hearOllamaChat } from "./hear-chat.js";

export const ollamaChat: WireRoute = {
  hear: hearOllamaChat,
  encoder: ({ body }, now) => new OllamaChatEncoder(String(body.model), now.toISOString()),
  streamsByDefault: true,
  refusal: ({ error, fields }) => ({ error, ...fields }),
};
