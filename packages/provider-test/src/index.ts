export type {
  DelayStep,
  ErrorStep,
  ResultQuote,
  Script,
  ScriptedFailure,
  Step,
  TextPart,
  TextStep,
  ThinkingStep,
  ToolCallStep,
  Turn,
} from "./script.js";
export { parseScript } from "./script.js";
export { TestError, type TestErrorDetails, type TestErrorKind } from "./test-error.js";
export { Test } from "./test-provider.js";
