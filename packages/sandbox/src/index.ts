export { type BoundedOutput, outputText } from "./bytes/bounded-output.js";
export type { Outcome, OutputChunk, RunResult } from "./confined/ending.js";
export { credentialPaths } from "./credential-paths.js";
export type { MalformedLine } from "./frames/frame-reader.js";
export type { Confinement, Mechanism } from "./mechanism.js";
export type { SandboxLimits, SandboxPolicy } from "./policy/policy.js";
export { type Probe, type ProbeOptions, probe } from "./probe.js";
export { type RunOptions, run } from "./run.js";
export {
  isSandboxError,
  SandboxError,
  type SandboxErrorDetails,
  type SandboxErrorKind,
} from "./sandbox-error.js";
export { type SandboxWorker, type WorkerOptions, worker } from "./worker.js";
export type { WorkerChannel, WorkerModule } from "./worker-channel.js";
