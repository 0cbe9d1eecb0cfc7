export type {
  DelayStep,
  ErrorStep,
  Script,
  ScriptedFailure,
  Step,
  TextStep,
  ThinkingStep,
  ToolCallStep,
  Turn,
} from "./script.js";
export { parseScript } from "./script.js";
export { TestError, type TestErrorDetails, type TestErrorKind } from "./test-error.js";
export { Test } from "./test-provider.js";
