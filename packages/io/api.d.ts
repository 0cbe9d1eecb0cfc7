// @ashlar/io
//   ChatCompat
//   Clock
//   ConnectOptions
//   Connection
//   ContextUsage
//   HttpFailure
//   IO
//   IOAdds
//   IOEnv
//   IOError
//   IOErrorDetails
//   IOErrorKind
//   IOOptions
//   IOState
//   OpenAI
//   OpenAIChat
//   RequestOptions
//   THINKING_LEVELS
//   ThinkingLevel
//   Timeouts
//   connect
//   isIOError
//   requestDefaults
// @ashlar/io/testing
//   CallRecording
//   ConformanceCase
//   ConformanceFailure
//   ConformanceFailureDetails
//   ConformanceNeed
//   ConformanceReport
//   ConformanceResult
//   ErrorFrameRecording
//   ErrorStatusRecording
//   ExecutedCallRecording
//   ModelsRecording
//   ProviderSubject
//   RecordedCall
//   RecordedWire
//   Recording
//   Recordings
//   TextRecording
//   ThinkingRecording
//   UsageRecording
//   isConformanceFailure
//   providerConformance
//   runProviderConformance
//   unmetNeed

interface CallRecording extends Recording {
    readonly calls: readonly RecordedCall[];
}
interface ChatCompat {
    readonly developerRole: boolean;
    readonly laterSystemRole: "system" | "user";
    readonly userMessages: "separate" | "joined";
    readonly maxTokensField: "max_tokens" | "max_completion_tokens";
    readonly usageInStream: boolean;
    readonly reasoningField: "none" | "reasoning_content" | "reasoning";
    readonly thinkingFormat: "reasoning_effort" | "reasoning" | "enable_thinking" | "none";
    readonly toolResultName: boolean;
    readonly strictToolIds: boolean;
    readonly parallelToolCalls: boolean | "unset";
    readonly callsOnlyContent: "null" | "empty";
    readonly formatField: "json_schema" | "json_object";
    readonly apiPrefix: string;
}
interface Clock {
    readonly now: () => number;
    readonly epoch: () => number;
    readonly after: (ms: number, task: () => void) => () => void;
}
interface ConformanceCase {
    readonly name: string;
    readonly why: string;
    readonly needs?: readonly ConformanceNeed[];
    readonly run: (subject: ProviderSubject) => Promise<void>;
}
class ConformanceFailure extends AshlarError<"conformance", ConformanceFailureDetails> {
    constructor(expected: string, came: string);
}
interface ConformanceFailureDetails {
    readonly expected: string;
    readonly came: string;
}
type ConformanceNeed = "tools" | "thinking" | "executedCalls" | "models" | "folder" | "lines";
interface ConformanceReport {
    readonly ok: boolean;
    readonly provider: string;
    readonly contract: number;
    readonly results: readonly ConformanceResult[];
}
interface ConformanceResult {
    readonly name: string;
    readonly outcome: "passed" | "failed" | "excused";
    readonly reason?: string;
}
interface ConnectOptions {
    readonly url?: string;
    readonly model: string;
    readonly endpoint?: string;
    readonly auth?: string | AuthRecord;
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly info?: ModelMetadata;
    readonly transport?: Transport;
}
interface ContextUsage {
    readonly used?: number;
    readonly total?: number;
}
type DurationSetting = number | string | undefined;
interface ErrorFrameRecording extends TextRecording {
    readonly says: string;
}
interface ErrorStatusRecording {
    readonly status: number;
    readonly body: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly kind: RequestErrorKind;
    readonly says: string;
}
interface ExecutedCallRecording extends Recording {
    readonly calls: readonly (RecordedCall & {
        readonly result: string;
    })[];
}
interface HttpFailure {
    readonly status?: number;
    readonly retryAfterMs?: number;
    readonly code?: string;
    readonly body?: unknown;
}
class IO {
    #private;
    readonly selector: string;
    constructor(connection: Connection, options?: IOOptions);
    get state(): IOState;
    get contextUsage(): ContextUsage | undefined;
    get planUsage(): PlanUsage | undefined;
    write(context: string | readonly ContextItem[], sink: EventSink | Callbacks, options?: RequestOptions): Promise<TerminalEvent>;
    stream(context: string | readonly ContextItem[], options?: RequestOptions): AsyncIterableIterator<ResponseEvent, undefined>;
    close(): Promise<void>;
}
interface IOAdds {
    members: {
        io(selector: string): IO;
    };
    settings: {
        think: string | boolean | undefined;
        timeout: DurationSetting;
        connectTimeout: DurationSetting;
        firstEventTimeout: DurationSetting;
        stuckTimeout: DurationSetting;
    };
}
const IOEnv: typeof plugin.Env;
type IOEnv = EnvOf<typeof IOEnv>;
class IOError<Kind extends IOErrorKind = IOErrorKind> extends AshlarError<Kind, IOErrorDetails[Kind]> {
    constructor(kind: Kind, message: string, details: IOErrorDetails[Kind], options?: {
        readonly cause?: unknown;
    });
    get status(): number | undefined;
}
interface IOErrorDetails {
    usage: {
        readonly argument?: string;
    };
    auth: HttpFailure;
    network: {
        readonly code?: string;
        readonly limit?: string;
        readonly retryAfterMs?: number;
    };
    provider: HttpFailure & {
        readonly contextOverflow?: {
            readonly window?: number;
            readonly needed?: number;
        };
        readonly retryable?: boolean;
    };
    malformed: {
        readonly at?: string;
    };
    cancelled: Record<string, never>;
}
type IOErrorKind = keyof IOErrorDetails;
interface IOOptions {
    readonly timeouts?: Timeouts;
    readonly defaults?: () => Readonly<Record<string, unknown>>;
    readonly clock?: Clock;
}
type IOState = "idle" | "sending" | "reading" | "closed";
interface ModelsRecording {
    readonly route: string;
    readonly answer: unknown;
    readonly ids: readonly string[];
}
const OpenAI: {
    new (): {};
    readonly contract: 1;
    readonly provider: ProviderMetadata;
    readonly knownEndpoints: readonly KnownEndpoint[];
    readonly models: (query: _ashlar_context_provider.CatalogueQuery) => Promise<Readonly<Record<string, _ashlar_context_provider.ModelMetadata>>>;
    readonly testConnection: (query: _ashlar_context_provider.CatalogueQuery) => Promise<Readonly<Record<string, unknown>>>;
    detectEnvironment(environment: Readonly<Record<string, string | undefined>>): Readonly<Record<string, DetectedEndpoint>>;
};
const OpenAIChat: {
    new (): {};
    readonly contract: 1;
    readonly provider: ProviderMetadata;
    readonly knownEndpoints: readonly KnownEndpoint[];
    readonly models: (query: _ashlar_context_provider.CatalogueQuery) => Promise<Readonly<Record<string, _ashlar_context_provider.ModelMetadata>>>;
    readonly testConnection: (query: _ashlar_context_provider.CatalogueQuery) => Promise<Readonly<Record<string, unknown>>>;
};
interface ProviderSubject {
    readonly Provider: ProviderClass;
    readonly wire: RecordedWire;
    readonly model?: string;
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly info?: ModelMetadata;
    readonly auth?: AuthRecord;
    readonly folder?: string;
    readonly excuses?: Readonly<Record<string, string>>;
}
interface RecordedCall {
    readonly name: string;
    readonly arguments: unknown;
}
interface RecordedWire {
    readonly path: string;
    readonly basePath?: string;
    readonly framing: "ndjson" | "sse" | ((frame: unknown) => string | Uint8Array);
    readonly contentType?: string;
    readonly routes?: Readonly<Record<string, unknown>>;
    readonly pairing?: "id" | "order";
    readonly recordings: Recordings;
}
interface Recording {
    readonly why?: string;
    readonly frames: readonly unknown[];
}
interface Recordings {
    readonly text: TextRecording;
    readonly unicode: TextRecording;
    readonly empty: Recording;
    readonly errorBefore: readonly ErrorStatusRecording[];
    readonly errorAfter200: ErrorFrameRecording;
    readonly usage: UsageRecording;
    readonly toolCalls?: CallRecording;
    readonly parallelCalls?: readonly CallRecording[];
    readonly cutArguments?: Recording;
    readonly thinking?: ThinkingRecording;
    readonly executedCalls?: ExecutedCallRecording;
    readonly models?: ModelsRecording;
}
interface RequestOptions {
    readonly tools?: readonly ToolDescriptor[];
    readonly signal?: AbortSignal;
    readonly thinking?: ThinkingLevel;
    readonly format?: JsonSchema | "json";
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly timeouts?: Timeouts;
}
const THINKING_LEVELS: readonly [
    "none",
    "minimal",
    "low",
    "medium",
    "high",
    "xhigh",
    "max"
];
interface TextRecording extends Recording {
    readonly text: string;
}
type ThinkingLevel = (typeof THINKING_LEVELS)[number];
interface ThinkingRecording extends TextRecording {
    readonly thinking: string;
}
interface Timeouts {
    readonly connectMs?: number;
    readonly firstEventMs?: number;
    readonly idleMs?: number;
    readonly overallMs?: number;
}
interface UsageRecording extends Recording {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedInputTokens?: number;
}
function connect(Provider: ProviderClass, options: ConnectOptions): Connection;
function isConformanceFailure(value: unknown): value is ConformanceFailure;
function isIOError(value: unknown): value is IOError;
const plugin: Extended<typeof Env, IOAdds>;
const providerConformance: readonly ConformanceCase[];
function requestDefaults(env: Env): Readonly<Record<string, unknown>>;
function runProviderConformance(subject: ProviderSubject): Promise<ConformanceReport>;
function unmetNeed({ needs }: ConformanceCase, subject: ProviderSubject): string | undefined;
