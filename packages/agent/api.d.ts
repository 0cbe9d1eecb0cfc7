// @ashlar/agent
//   Agent
//   AgentAdds
//   AgentAddsOf
//   AgentCapabilities
//   AgentContextUsage
//   AgentCreateOptions
//   AgentEnv
//   AgentError
//   AgentErrorDetails
//   AgentErrorKind
//   AgentEvent
//   AgentEventKeys
//   AgentEventName
//   AgentEventPayloads
//   AgentOptions
//   AgentPolicy
//   AgentRuntime
//   AgentSettings
//   AgentStreamEvent
//   Budget
//   BudgetEvent
//   BudgetLimits
//   BudgetOptions
//   BudgetPolicy
//   BudgetRule
//   Change
//   CommandRequest
//   Confinement
//   EXIT_CODES
//   HostServices
//   IsolatedCommand
//   IsolatedRequest
//   IsolatedRun
//   Isolation
//   IsolationLimits
//   IsolationPolicy
//   IsolationProbe
//   ModelCapacity
//   NoticeEvent
//   PolicySource
//   PolicySourceOptions
//   ResultEvent
//   ResultKind
//   RetryEvent
//   RunOptions
//   RunResult
//   ServiceName
//   StreamFunction
//   StreamListener
//   StreamOptions
//   ThrottledEvent
//   ToolDataEvent
//   ToolExecuteEvent
//   ToolResultEvent
//   UndoJournal
//   UndoResult
//   UserInput
//   createPolicySource
//   exitCodeOf
//   isAgentError
//   streamEventSchema
// @ashlar/agent/loop
//   AfterStore
//   AgentEvent
//   AgentStreamEvent
//   AnsweredInput
//   BatchSchedule
//   Budget
//   BudgetEvent
//   BudgetLimits
//   BudgetRule
//   BudgetStop
//   CallIds
//   CallOutcome
//   ChildBudgetResult
//   ContextFill
//   ContextPolicy
//   DEFAULT_BUDGET
//   EXIT_CODES
//   FailedAttempt
//   LoopEffect
//   LoopInput
//   LoopPolicy
//   LoopState
//   NO_REPETITION
//   NoticeEvent
//   ObservedCall
//   Outcome
//   PairedResponse
//   Permission
//   PermissionState
//   PermissionSubject
//   PreparedInput
//   ReadArguments
//   Repetition
//   RepetitionLimits
//   RepetitionVerdict
//   Reservation
//   ReservationResult
//   ResultEvent
//   ResultKind
//   RetryEvent
//   RetryPolicy
//   RetryVerdict
//   RunMemory
//   STREAM_VERSION
//   Step
//   ThrottledEvent
//   ToolAnswer
//   ToolDataEvent
//   ToolExecuteEvent
//   ToolResultEvent
//   UnrunReason
//   costOf
//   errorAnswer
//   exitCodeOf
//   explainEmptyAnswer
//   guardContext
//   idleState
//   isRetried
//   judgeFailure
//   localCalls
//   observeCalls
//   pairResponse
//   permit
//   readArguments
//   readToolError
//   readToolValue
//   resultOf
//   step
// @ashlar/agent/tool-worker
//   default
// @ashlar/agent/testing
//   ConformanceFailure
//   ConformanceFailureDetails
//   SampleCall
//   ToolPackCase
//   ToolPackReport
//   ToolPackResult
//   ToolPackSubject
//   isConformanceFailure
//   runToolPackConformance
//   toolPackConformance
//   unmetNeed
// @ashlar/agent/testing/pack-worker
//   default

interface AfterStore {
    readonly calls: readonly ToolCallBlock[];
    readonly unrun?: UnrunReason;
    readonly outcome?: Outcome;
}
class Agent {
    #private;
    static readonly EVENT: AgentEventKeys;
    static readonly Context: typeof Context;
    static readonly IO: typeof IO;
    static readonly Env: typeof AgentEnv;
    readonly context: Context;
    readonly name: string;
    readonly description: string;
    constructor(options?: AgentOptions);
    static fork(agent: Agent): Agent;
    get can(): AgentCapabilities;
    get env(): AgentEnv;
    get model(): string;
    set model(selector: string);
    get policy(): AgentPolicy;
    get usage(): Usage;
    get contextUsage(): AgentContextUsage;
    get tools(): Promise<ReadonlyMap<string, ToolDescriptor>>;
    get busy(): boolean;
    get closed(): boolean;
    get pending(): number;
    get throttledUntil(): number | undefined;
    send(input: UserInput): void;
    pendingPop(): readonly UserMessage[];
    run(options?: RunOptions): Promise<ResultEvent>;
    cancel(): void;
    toolCall(name: string, args?: unknown): Promise<ToolResultEvent>;
    changes(): Promise<readonly Change[]>;
    undo(id?: string): Promise<UndoResult>;
    close(): Promise<void>;
    subscribe(listener: StreamListener): () => void;
    onEvent<P>(event: EventKey<P>, listener: (payload: P) => void): number;
    offEvent(handle: number): boolean;
}
interface AgentAdds extends AgentAddsOf<Agent> {
}
interface AgentAddsOf<A> {
    members: {
        agentCreate(options?: AgentCreateOptions): A;
        agents(): readonly A[];
        systemPrompt(): Promise<readonly string[]>;
    };
    events: {
        AGENT_ADDED: {
            readonly agent: A;
        };
        AGENT_REMOVED: {
            readonly agent: A;
        };
    };
    modelInfo: ModelCapacity;
    settings: AgentSettings;
}
interface AgentCapabilities {
    write: boolean;
}
interface AgentContextUsage {
    readonly used: number;
    readonly total: number | undefined;
}
interface AgentCreateOptions {
    readonly model?: string;
    readonly name?: string;
    readonly description?: string;
    readonly context?: Context | readonly ContextItem[];
    readonly tools?: readonly string[];
    readonly can?: {
        readonly write?: boolean;
    };
    readonly systemPrompt?: string | false;
    readonly thinking?: ThinkingLevel;
    readonly format?: JsonSchema | "json";
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly timeout?: number | string;
    readonly budget?: BudgetOptions | Budget;
    readonly toolCall?: {
        readonly timeout?: number | string;
        readonly fork?: boolean;
    };
    readonly question?: QuestionBridge;
    readonly execution?: Execution;
    readonly isolation?: Isolation;
    readonly stream?: StreamFunction;
    readonly runtime?: Partial<AgentRuntime>;
}
const AgentEnv: typeof plugin.Env;
type AgentEnv = EnvOf<typeof AgentEnv>;
class AgentError<Kind extends AgentErrorKind = AgentErrorKind> extends AshlarError<Kind, AgentErrorDetails[Kind]> {
    constructor(kind: Kind, message: string, details: AgentErrorDetails[Kind], options?: {
        readonly cause?: unknown;
    });
}
interface AgentErrorDetails {
    usage: {
        readonly argument?: string;
    };
    busy: Record<string, never>;
    closed: Record<string, never>;
    settings: {
        readonly key: string;
    };
    refused: {
        readonly reason: string;
    };
    tool: {
        readonly file: string;
    };
    undo: {
        readonly id?: string;
    };
}
type AgentErrorKind = keyof AgentErrorDetails;
type AgentEvent = ToolExecuteEvent | ToolDataEvent | ToolResultEvent | RetryEvent | ThrottledEvent | BudgetEvent | NoticeEvent | ResultEvent;
type AgentEventKeys = {
    readonly [Name in AgentEventName]: EventKey<AgentEventPayloads[Name]>;
};
type AgentEventName = keyof AgentEventPayloads;
interface AgentEventPayloads {
    REQUEST_START: Response<"start">;
    TEXT_START: Response<"text_start">;
    TEXT_DELTA: Response<"text_delta">;
    TEXT_END: Response<"text_end">;
    THINKING_START: Response<"thinking_start">;
    THINKING_DELTA: Response<"thinking_delta">;
    THINKING_END: Response<"thinking_end">;
    TOOL_CALL_START: Response<"tool_call_start">;
    TOOL_CALL_DELTA: Response<"tool_call_delta">;
    TOOL_CALL_END: Response<"tool_call_end">;
    TOOL_CALL_RESULT: Response<"tool_call_result">;
    REQUEST_DONE: DoneEvent;
    REQUEST_ERROR: ErrorEvent;
    MESSAGE_COMMITTED: Message;
    LOG: string;
    TOOL_EXECUTE: ToolExecuteEvent;
    TOOL_DATA: {
        readonly call: {
            readonly callId: string;
            readonly name: string;
        };
        readonly chunk: string;
    };
    TOOL_RESULT: {
        readonly result: ToolResultMessage;
        readonly display?: readonly Block[];
    };
    RETRY: RetryEvent;
    THROTTLED: {
        readonly until: number;
    };
    BUDGET: BudgetEvent;
    RESULT: ResultEvent;
    SENT_MESSAGE: UserMessage;
    CLOSE_MARKED: undefined;
    CLOSED: undefined;
}
interface AgentOptions extends AgentCreateOptions {
    readonly env?: AgentEnv;
}
interface AgentPolicy {
    readonly context: ContextPolicy;
    readonly retry: RetryPolicy;
    readonly tools: {
        readonly timeout: number;
        readonly timeoutLimit: number;
        readonly concurrency: number;
    };
    readonly budget: BudgetPolicy;
}
interface AgentRuntime {
    readonly now: () => number;
    readonly random: () => number;
    readonly wait: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}
interface AgentSettings {
    readonly context: {
        readonly cap?: number | undefined;
        readonly turn?: number | undefined;
        readonly assumedWindow?: number | undefined;
        readonly [key: string]: unknown;
    };
    readonly retry: {
        readonly attempts?: number | undefined;
        readonly base?: number | string | undefined;
        readonly max?: number | string | undefined;
        readonly [key: string]: unknown;
    };
    readonly budget: {
        readonly requests?: number | false | undefined;
        readonly tokens?: number | false | undefined;
        readonly duration?: number | string | false | undefined;
        readonly cost?: number | false | undefined;
        readonly depth?: number | undefined;
        readonly width?: number | undefined;
        readonly repeats?: number | false | undefined;
        readonly [key: string]: unknown;
    };
    readonly maxActive: number | false;
    readonly system?: string | undefined;
    readonly sandbox: {
        readonly network?: "none" | "full" | undefined;
        readonly fileBytes?: number | undefined;
        readonly memoryBytes?: number | undefined;
        readonly processes?: number | undefined;
        readonly temporaryBytes?: number | undefined;
        readonly [key: string]: unknown;
    };
    readonly permissions?: unknown;
}
type AgentStreamEvent = ResponseEvent | AgentEvent;
interface AnsweredInput {
    readonly type: "answered";
    readonly terminal: TerminalEvent;
    readonly now: number;
    readonly random: number;
}
class BatchSchedule {
    #private;
    constructor(pooled: readonly boolean[], concurrency: number);
    next(): number | undefined;
    finish(): void;
}
class Budget {
    #private;
    readonly depth: number;
    private constructor();
    static start(limits: Partial<BudgetLimits>, startedAt: number): Budget;
    get limits(): BudgetLimits;
    get spent(): {
        readonly requests: number;
        readonly tokens: number;
        readonly cost: number;
    };
    reserve(request: {
        readonly now: number;
        readonly tokens: number;
    }): ReservationResult;
    settle(reservation: Reservation, usage: Usage | undefined, cost: number | undefined): void;
    child(): ChildBudgetResult;
    release(): void;
}
interface BudgetEvent {
    readonly type: "budget";
    readonly action: "hint" | "stop";
    readonly rule: BudgetRule;
    readonly used: number;
    readonly limit: number;
    readonly message: string;
}
interface BudgetLimits {
    readonly requests: number;
    readonly tokens: number;
    readonly durationMs: number;
    readonly cost: number;
    readonly depth: number;
    readonly width: number;
}
interface BudgetOptions {
    readonly requests?: number | false;
    readonly tokens?: number | false;
    readonly duration?: number | string | false;
    readonly cost?: number | false;
    readonly depth?: number;
    readonly width?: number;
    readonly repeats?: number | false;
}
interface BudgetPolicy extends BudgetLimits {
    readonly repeats: number;
}
type BudgetRule = "requests" | "tokens" | "duration" | "cost" | "depth" | "width" | "context" | "turn" | "repeat" | "cut";
interface BudgetStop {
    readonly rule: BudgetRule;
    readonly used: number;
    readonly limit: number;
    readonly message: string;
}
class CallIds {
    #private;
    learn(content: readonly Block[]): void;
    begin(): void;
    claim(wanted: string): string;
    withdraw(): void;
}
interface CallOutcome extends ObservedCall {
    readonly succeeded: boolean;
    readonly refused?: string;
    readonly cut?: boolean;
}
interface Change {
    readonly id: string;
    readonly callId: string;
    readonly tool: string;
    readonly at: number;
    readonly path: string | null;
    readonly lost?: string;
}
type ChildBudgetResult = {
    readonly ok: true;
    readonly budget: Budget;
} | {
    readonly ok: false;
    readonly stop: BudgetStop;
};
interface CommandRequest {
    readonly command: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly policy: IsolationPolicy;
    readonly onOutput: (bytes: Uint8Array) => void;
}
interface Confinement {
    readonly files: boolean;
    readonly network: boolean;
    readonly processes: boolean;
}
interface ContextFill {
    readonly tokens: number;
    readonly turnStart: number;
    readonly window: number | undefined;
}
interface ContextPolicy {
    readonly cap: number;
    readonly turn: number;
    readonly assumedWindow: number;
}
const DEFAULT_BUDGET: BudgetLimits;
const EXIT_CODES: Readonly<{
    success: 0;
    usage: 1;
    other: 1;
    auth: 2;
    network: 3;
    provider: 4;
    malformed: 5;
    budget: 6;
    refused: 7;
    cancelled: 130;
}>;
interface FailedAttempt {
    readonly failure: ErrorEvent;
    readonly attempt: number;
    readonly reloaded: boolean;
    readonly random: number;
}
interface HostServices {
    readonly names: readonly ServiceName[];
    readonly perform: (service: ServiceName, method: string, args: readonly unknown[]) => Promise<unknown>;
}
interface IsolatedCommand {
    readonly exited: Promise<{
        readonly exitCode: number | null;
        readonly signal: string | null;
    }>;
    readonly end: () => Promise<void>;
}
interface IsolatedRequest {
    readonly file: string;
    readonly name: string;
    readonly args: unknown;
    readonly callId: string;
    readonly safe: boolean;
    readonly deadline: () => number;
    readonly projectFolder: string;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly policy: IsolationPolicy;
    readonly onData: (chunk: string) => void;
    readonly services: HostServices;
}
interface IsolatedRun {
    readonly result: Promise<unknown>;
    readonly lastWord: () => Promise<unknown>;
    readonly end: () => Promise<void>;
}
interface Isolation {
    readonly probe: () => Promise<IsolationProbe>;
    readonly call: (request: IsolatedRequest) => Promise<IsolatedRun>;
    readonly background: (request: CommandRequest) => Promise<IsolatedCommand>;
    readonly close: () => Promise<void>;
}
interface IsolationLimits {
    readonly fileBytes: number;
    readonly memoryBytes: number | undefined;
    readonly processes: number;
    readonly temporaryBytes: number;
}
interface IsolationPolicy {
    readonly writeRoots: readonly string[];
    readonly readOnly: readonly string[];
    readonly hidden: readonly string[];
    readonly network: "none" | "full";
    readonly environment: Readonly<Record<string, string>>;
    readonly cwd: string;
    readonly limits: IsolationLimits;
}
interface IsolationProbe {
    readonly confines: Confinement;
    readonly reason?: string;
    readonly remedy?: string;
}
type LoopEffect = {
    readonly type: "prepare";
} | {
    readonly type: "request";
    readonly tokens: number;
} | {
    readonly type: "reload";
} | {
    readonly type: "wait";
    readonly delayMs: number;
} | {
    readonly type: "store";
    readonly terminal: TerminalEvent;
    readonly message: AssistantMessage | undefined;
} | {
    readonly type: "dispatch";
    readonly calls: readonly ToolCallBlock[];
    readonly unrun: UnrunReason | undefined;
} | {
    readonly type: "discard";
    readonly failure: ErrorEvent;
} | {
    readonly type: "emit";
    readonly event: RetryEvent | ThrottledEvent | BudgetEvent;
} | {
    readonly type: "system";
    readonly text: string;
} | {
    readonly type: "abort";
} | {
    readonly type: "end";
    readonly outcome: Outcome;
};
type LoopInput = {
    readonly type: "run";
} | PreparedInput | {
    readonly type: "denied";
    readonly stop: BudgetStop;
} | AnsweredInput | {
    readonly type: "reloaded";
    readonly changed: boolean;
} | {
    readonly type: "waited";
} | {
    readonly type: "stored";
    readonly pending: boolean;
} | {
    readonly type: "dispatched";
    readonly outcomes: readonly CallOutcome[];
} | {
    readonly type: "cancel";
} | {
    readonly type: "fault";
    readonly error: string;
    readonly kind: "usage" | "other";
};
interface LoopPolicy {
    readonly retry: RetryPolicy;
    readonly context: ContextPolicy;
    readonly repetition: RepetitionLimits;
}
type LoopState = {
    readonly name: "idle";
    readonly memory: RunMemory;
} | {
    readonly name: "preparing";
    readonly memory: RunMemory;
} | {
    readonly name: "requesting";
    readonly memory: RunMemory;
} | {
    readonly name: "reloading";
    readonly memory: RunMemory;
    readonly failure: ErrorEvent;
} | {
    readonly name: "waiting";
    readonly memory: RunMemory;
} | {
    readonly name: "storing";
    readonly memory: RunMemory;
    readonly next: AfterStore;
} | {
    readonly name: "dispatching";
    readonly memory: RunMemory;
    readonly next: AfterStore;
} | {
    readonly name: "ended";
    readonly memory: RunMemory;
    readonly outcome: Outcome;
};
interface ModelCapacity {
    readonly maxActive: number;
    readonly active: number;
    readonly available: number;
}
const NO_REPETITION: Repetition;
interface NoticeEvent {
    readonly type: "notice";
    readonly message: string;
}
interface ObservedCall {
    readonly name: string;
    readonly argumentsKey: string;
    readonly resultKey: string;
    readonly changed: boolean;
}
interface OpenChange {
    readonly settle: () => Promise<readonly string[]>;
}
interface Outcome {
    readonly kind: Exclude<ResultKind, "refused">;
    readonly error?: string;
    readonly httpStatus?: number;
    readonly throttled?: {
        readonly until: number;
        readonly waitMs: number;
    };
    readonly stop?: BudgetStop;
}
interface PairedResponse {
    readonly message: AssistantMessage;
    readonly results: readonly ToolResultMessage[];
}
type Permission = {
    readonly allowed: true;
} | {
    readonly allowed: false;
    readonly message: string;
    readonly refused?: string;
};
interface PermissionState {
    readonly canWrite: boolean;
    readonly readOnly?: string | undefined;
    readonly attended: boolean;
}
interface PermissionSubject {
    readonly name: string;
    readonly safe: boolean;
    readonly interactive: boolean;
    readonly refusal?: string | undefined;
}
interface PolicySource {
    readonly policy: (write: boolean) => Promise<IsolationPolicy>;
}
interface PolicySourceOptions {
    readonly env: Env;
    readonly folder: string;
    readonly notice: (message: string) => void;
}
interface PreparedInput {
    readonly type: "prepared";
    readonly tokens: number;
    readonly window: number | undefined;
    readonly received: boolean;
}
type ReadArguments = {
    readonly ok: true;
    readonly args: unknown;
    readonly note?: string;
} | {
    readonly ok: false;
    readonly problem: string;
};
interface RecordedCall {
    readonly callId: string;
    readonly tool: string;
    readonly folder: string;
    readonly paths: readonly string[] | undefined;
}
interface Repetition {
    readonly calls: readonly ObservedCall[];
    readonly told: readonly ObservedCall[];
}
interface RepetitionLimits {
    readonly stop: number;
}
interface RepetitionVerdict {
    readonly repetition: Repetition;
    readonly hints: readonly BudgetStop[];
    readonly stop?: BudgetStop;
}
interface Reservation {
    readonly tokens: number;
}
type ReservationResult = {
    readonly ok: true;
    readonly reservation: Reservation;
} | {
    readonly ok: false;
    readonly stop: BudgetStop;
};
type Response<T extends ResponseEvent["type"]> = Extract<ResponseEvent, {
    readonly type: T;
}>;
interface ResultEvent {
    readonly type: "result";
    readonly version: typeof STREAM_VERSION;
    readonly status: "completed" | "failed" | "cancelled";
    readonly kind: ResultKind;
    readonly exitCode: number;
    readonly requests: number;
    readonly usage: Usage;
    readonly message?: AssistantMessage;
    readonly doneReason?: DoneReason;
    readonly error?: string;
    readonly httpStatus?: number;
    readonly throttledUntil?: number;
    readonly stop?: {
        readonly rule: BudgetRule;
        readonly used: number;
        readonly limit: number;
    };
    readonly refused?: readonly {
        readonly tool: string;
        readonly reason: string;
    }[];
}
type ResultKind = keyof typeof EXIT_CODES;
interface RetryEvent {
    readonly type: "retry";
    readonly reason: "failure" | "auth" | "empty";
    readonly attempt: number;
    readonly delayMs: number;
    readonly kind: RequestErrorKind;
    readonly error: string;
    readonly status?: number;
}
interface RetryPolicy {
    readonly attempts: number;
    readonly base: number;
    readonly max: number;
}
type RetryVerdict = {
    readonly action: "fail";
} | {
    readonly action: "reload";
} | {
    readonly action: "retry";
    readonly delayMs: number;
} | {
    readonly action: "throttle";
    readonly waitMs: number;
};
interface RunMemory {
    readonly policy: LoopPolicy;
    readonly requests: number;
    readonly usage: Usage | undefined;
    readonly tokens: number;
    readonly turnStart: number | undefined;
    readonly tries: number;
    readonly failures: number;
    readonly reloaded: boolean;
    readonly emptyAnswers: number;
    readonly cutResponses: number;
    readonly repetition: Repetition;
    readonly refused: ReadonlyMap<string, string>;
    readonly cancelled: boolean;
    readonly message: AssistantMessage | undefined;
    readonly doneReason: DoneReason | undefined;
}
interface RunOptions {
    readonly thinking?: ThinkingLevel;
    readonly format?: JsonSchema | "json";
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly timeout?: number | string;
    readonly budget?: BudgetOptions | Budget;
    readonly signal?: AbortSignal;
}
const STREAM_VERSION = 1;
interface SampleCall {
    readonly tool: string;
    readonly args: Readonly<Record<string, unknown>>;
    readonly changes?: readonly string[];
    readonly throws?: string;
}
type ServiceName = "question" | "background" | "changes";
interface Step {
    readonly state: LoopState;
    readonly effects: readonly LoopEffect[];
}
type StreamFunction = (context: readonly ContextItem[], sink: (event: ResponseEvent) => void, options: StreamOptions) => Promise<TerminalEvent>;
type StreamListener = (event: AgentStreamEvent) => void;
interface StreamOptions {
    readonly model: string;
    readonly tools: readonly ToolDescriptor[];
    readonly signal: AbortSignal;
    readonly thinking?: ThinkingLevel;
    readonly format?: JsonSchema | "json";
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly timeouts?: Timeouts;
}
interface ThrottledEvent {
    readonly type: "throttled";
    readonly until: number;
    readonly waitMs: number;
}
interface ToolAnswer {
    readonly content: readonly Block[];
    readonly error: boolean;
    readonly system: readonly string[];
    readonly display: readonly Block[] | undefined;
}
interface ToolDataEvent {
    readonly type: "tool_data";
    readonly callId: string;
    readonly name: string;
    readonly data: string;
}
interface ToolExecuteEvent {
    readonly type: "tool_execute";
    readonly callId: string;
    readonly name: string;
    readonly arguments: unknown;
}
interface ToolPackCase {
    readonly name: string;
    readonly why: string;
    readonly needs?: "sandbox";
    readonly run: (subject: ToolPackSubject) => Promise<void>;
}
interface ToolPackReport {
    readonly ok: boolean;
    readonly complete: boolean;
    readonly folder: string;
    readonly results: readonly ToolPackResult[];
}
interface ToolPackResult {
    readonly name: string;
    readonly outcome: "passed" | "failed" | "excused" | "not run";
    readonly reason?: string;
}
interface ToolPackSubject {
    readonly folder: string;
    readonly calls: readonly SampleCall[];
    readonly files?: Readonly<Record<string, string>>;
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly network?: "none" | "full";
    readonly excuses?: Readonly<Record<string, string>>;
}
interface ToolResultEvent {
    readonly type: "tool_result";
    readonly callId: string;
    readonly name: string;
    readonly content: readonly Block[];
    readonly error?: true;
    readonly refused?: string;
    readonly changes?: readonly string[];
    readonly display?: readonly Block[];
}
class UndoJournal implements FileChanges {
    #private;
    constructor({ project, state }: UndoJournalOptions);
    list(): Promise<readonly Change[]>;
    readonly find: FileChanges["find"];
    open(call: RecordedCall): Promise<OpenChange>;
    undo(id?: string): Promise<UndoResult>;
}
interface UndoJournalOptions {
    readonly project: string;
    readonly state: string;
}
interface UndoResult {
    readonly callId: string;
    readonly tool: string;
    readonly restored: readonly string[];
    readonly removed: readonly string[];
    readonly notes: readonly string[];
}
type UnrunReason = "cut" | "cancelled" | "failed";
type UserInput = string | readonly Block[];
function costOf(usage: Usage | undefined, price: {
    readonly input: number;
    readonly output: number;
} | undefined): number | undefined;
function createPolicySource(options: PolicySourceOptions): PolicySource;
function errorAnswer(text: string, system?: readonly string[]): ToolAnswer;
function exitCodeOf(result: {
    readonly kind: ResultKind;
}): number;
function explainEmptyAnswer(done: DoneEvent): {
    readonly error: string;
    readonly retry: boolean;
} | undefined;
function guardContext(fill: ContextFill, policy: ContextPolicy): BudgetStop | undefined;
function idleState(policy: LoopPolicy): LoopState;
function isAgentError(value: unknown): value is AgentError;
function isRetried(failure: ErrorEvent): boolean;
function judgeFailure(attempt: FailedAttempt, policy: RetryPolicy): RetryVerdict;
function localCalls(message: AssistantMessage | undefined): readonly ToolCallBlock[];
function observeCalls(before: Repetition, batch: readonly ObservedCall[], limits: RepetitionLimits): RepetitionVerdict;
function pairResponse(message: AssistantMessage, results: readonly ToolResultMessage[], ids: CallIds): PairedResponse;
function permit(call: PermissionSubject, state: PermissionState): Permission;
const plugin: Extended<typeof IOEnv, AgentAdds>;
function readArguments(given: unknown): ReadArguments;
function readToolError(error: unknown): ToolAnswer;
function readToolValue(value: unknown): ToolAnswer;
function resultOf(memory: RunMemory, outcome: Outcome): ResultEvent;
function runToolPackConformance(subject: ToolPackSubject): Promise<ToolPackReport>;
function serve(channel: WorkerChannel): void;
function step(state: LoopState, input: LoopInput): Step;
const streamEventSchema: JsonSchema;
const toolPackConformance: readonly ToolPackCase[];
function unmetNeed({ needs }: ToolPackCase): Promise<string | undefined>;
