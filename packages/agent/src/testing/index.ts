export {
  ConformanceFailure,
  type ConformanceFailureDetails,
  isConformanceFailure,
} from "@ashlar/io/testing";
export type { SampleCall, ToolPackSubject } from "./subject.js";
export { type ToolPackCase, unmetNeed } from "./tool-pack-case.js";
export {
  runToolPackConformance,
  type ToolPackReport,
  type ToolPackResult,
  toolPackConformance,
} from "./tool-pack-conformance.js";
