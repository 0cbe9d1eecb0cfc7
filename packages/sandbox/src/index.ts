export type { BoundedOutput } from "./bounded-output.js";
export type { SandboxLimits, SandboxPolicy } from "./policy.js";
export { type Confinement, type Mechanism, type Probe, type ProbeOptions, probe } from "./probe.js";
export { type Outcome, type OutputChunk, type RunOptions, type RunResult, run } from "./run.js";
export {
  isSandboxError,
  SandboxError,
  type SandboxErrorDetails,
  type SandboxErrorKind,
} from "./sandbox-error.js";
export { type MalformedLine, type SandboxWorker, type WorkerOptions, worker } from "./worker.js";
export type { WorkerChannel, WorkerModule } from "./worker-channel.js";
