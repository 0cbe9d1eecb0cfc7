export { type ConformanceCase, type ConformanceNeed, unmetNeed } from "./conformance-case.js";
export {
  ConformanceFailure,
  type ConformanceFailureDetails,
  isConformanceFailure,
} from "./conformance-failure.js";
export {
  type ConformanceReport,
  type ConformanceResult,
  providerConformance,
  runProviderConformance,
} from "./provider-conformance.js";
export type {
  CallRecording,
  ErrorFrameRecording,
  ErrorStatusRecording,
  ExecutedCallRecording,
  ModelsRecording,
  ProviderSubject,
  RecordedCall,
  RecordedWire,
  Recording,
  Recordings,
  TextRecording,
  ThinkingRecording,
  UsageRecording,
} from "./subject.js";
