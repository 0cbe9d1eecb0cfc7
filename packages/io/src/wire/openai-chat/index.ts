export { chatWire } from "./chat-wire.js";
export type { ChatCompat } from "./compat.js";
export { OpenAIChat } from "./openai-chat.js";
