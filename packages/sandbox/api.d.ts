// @ashlar/sandbox
//   BoundedOutput
//   Confinement
//   MalformedLine
//   Mechanism
//   Outcome
//   OutputChunk
//   Probe
//   ProbeOptions
//   RunOptions
//   RunResult
//   SandboxError
//   SandboxErrorDetails
//   SandboxErrorKind
//   SandboxLimits
//   SandboxPolicy
//   SandboxWorker
//   WorkerChannel
//   WorkerModule
//   WorkerOptions
//   credentialPaths
//   isSandboxError
//   outputText
//   probe
//   run
//   worker
// @ashlar/sandbox/inside


const ASHLAR_ERROR: unique symbol;
interface BoundedOutput {
    readonly head: Uint8Array;
    readonly tail: Uint8Array;
    readonly cutBytes: number;
}
interface Confinement {
    readonly files: boolean;
    readonly network: boolean;
    readonly processes: boolean;
}
interface MalformedLine {
    readonly reason: "too-long" | "not-json" | "cut-off";
    readonly bytes: number;
    readonly start: string;
}
type Mechanism = "bubblewrap" | "seatbelt" | "none";
type Outcome = "exited" | "timed-out" | "cancelled" | "memory";
interface OutputChunk {
    readonly stream: "stdout" | "stderr";
    readonly bytes: Uint8Array;
}
interface Probe {
    readonly mechanism: Mechanism;
    readonly confines: Confinement;
    readonly program?: string;
    readonly version?: string;
    readonly reason?: string;
    readonly remedy?: string;
}
interface ProbeOptions {
    readonly environment?: Readonly<Record<string, string | undefined>>;
}
interface RunOptions {
    readonly input?: string | Uint8Array;
    readonly onOutput?: (chunk: OutputChunk) => void;
    readonly signal?: AbortSignal;
    readonly probe?: Probe;
}
interface RunResult {
    readonly outcome: Outcome;
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly stdout: BoundedOutput;
    readonly stderr: BoundedOutput;
}
class SandboxError<Kind extends SandboxErrorKind = SandboxErrorKind> extends Error {
    readonly [ASHLAR_ERROR] = true;
    readonly kind: Kind;
    readonly details: SandboxErrorDetails[Kind];
    constructor(kind: Kind, message: string, details: SandboxErrorDetails[Kind], options?: {
        readonly cause?: unknown;
    });
    toJSON(): {
        name: string;
        kind: string;
        message: string;
        details: object;
    };
}
interface SandboxErrorDetails {
    usage: {
        readonly at: string;
    };
    unavailable: {
        readonly reason: string;
        readonly remedy: string;
    };
    weak: {
        readonly problems: readonly string[];
    };
    start: {
        readonly code?: string;
        readonly output?: string;
    };
    cancelled: Record<string, never>;
    closed: Record<string, never>;
}
type SandboxErrorKind = keyof SandboxErrorDetails;
interface SandboxLimits {
    readonly timeMs: number | null;
    readonly outputBytes: number;
    readonly fileBytes: number;
    readonly memoryBytes?: number;
    readonly processes?: number;
    readonly temporaryBytes?: number;
}
interface SandboxPolicy {
    readonly writeRoots: readonly string[];
    readonly readOnly?: readonly string[];
    readonly hidden?: readonly string[];
    readonly readable?: readonly string[];
    readonly network: "none" | "full";
    readonly environment: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly limits: SandboxLimits;
}
interface SandboxWorker {
    readonly send: (value: unknown) => void;
    readonly close: () => Promise<RunResult>;
    readonly exited: Promise<RunResult>;
    readonly unref: () => void;
    readonly ref: () => void;
}
interface WorkerChannel {
    readonly send: (value: unknown) => void;
    readonly onMessage: (listener: (value: unknown) => void) => void;
}
type WorkerModule = (channel: WorkerChannel) => void | Promise<void>;
interface WorkerOptions {
    readonly onMessage: (value: unknown) => void;
    readonly onMalformed?: (line: MalformedLine) => void;
    readonly onOutput?: (chunk: OutputChunk) => void;
    readonly maxLineBytes?: number;
    readonly signal?: AbortSignal;
    readonly probe?: Probe;
}
const credentialPaths: (home: string) => readonly string[];
function isSandboxError(value: unknown): value is SandboxError;
function outputText({ head, tail, cutBytes }: BoundedOutput): string;
function probe({ environment }?: ProbeOptions): Promise<Probe>;
function run(command: readonly string[], policy: SandboxPolicy, options?: RunOptions): Promise<RunResult>;
function worker(module: string, policy: SandboxPolicy, options: WorkerOptions): Promise<SandboxWorker>;
