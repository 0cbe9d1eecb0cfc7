export type { Connection } from "@ashlar/env";
export type { Clock } from "./clock.js";
export { type ConnectOptions, connect } from "./connect.js";
export { type IOAdds, IOEnv, requestDefaults } from "./env-plugin.js";
export {
  type ContextUsage,
  IO,
  type IOOptions,
  type IOState,
} from "./io.js";
export { type HttpFailure, IOError, type IOErrorDetails, type IOErrorKind, isIOError } from "./io-error.js";
export type { RequestOptions } from "./request/request-options.js";
export { THINKING_LEVELS, type ThinkingLevel } from "./thinking.js";
export type { Timeouts } from "./timeouts.js";
export { type ChatCompat, OpenAIChat } from "./wire/openai-chat/index.js";
export { OpenAI } from "./wire/openai-responses/index.js";
