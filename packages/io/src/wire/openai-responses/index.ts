export { OpenAI } from "./openai.js";
export { responsesWire } from "./responses-wire.js";
