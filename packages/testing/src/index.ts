export type { Behaviour } from "./behaviours/behaviour.js";
export { behaviours } from "./behaviours/table.js";
export { type CommandHost, fakeLLMCommand } from "./command.js";
export type { FakeScript, FakeServerOptions } from "./fake-server.js";
export type { ModelFacts } from "./model-facts.js";
export type { Question, QuestionResult, Wire } from "./question.js";
export type {
  ConnectionPart,
  ContentPart,
  Delivery,
  FakeCall,
  Finish,
  Part,
  RefusalReply,
  Reply,
  SilentReply,
  StreamReply,
} from "./reply.js";
export type { RecordedRequest } from "./server/recorded-request.js";
export {
  type RunningLLM,
  type RunningServer,
  startFakeLLM,
  startFakeOllama,
  startFakeOpenAI,
} from "./start.js";
