// @ashlar/agent
//   AfterTool
//   AfterToolReply
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
//   AgentOpenOptions
//   AgentOptions
//   AgentPolicy
//   AgentRuntime
//   AgentSettings
//   AgentStreamEvent
//   BeforeRequest
//   BeforeRequestReply
//   BeforeTool
//   BeforeToolReply
//   BranchSummaryOptions
//   BranchSummaryResult
//   Budget
//   BudgetEvent
//   BudgetLimits
//   BudgetOptions
//   BudgetPolicy
//   BudgetRule
//   Change
//   ChildOptions
//   CommandRequest
//   CompactOptions
//   CompactionEndEvent
//   CompactionEvent
//   CompactionFailedEvent
//   CompactionReason
//   CompactionResult
//   CompactionStartEvent
//   Confinement
//   EXIT_CODES
//   FinishedTurn
//   HookAgent
//   HookProblem
//   HookReply
//   HostServices
//   Interceptor
//   IsolatedCommand
//   IsolatedRequest
//   IsolatedRun
//   Isolation
//   IsolationLimits
//   IsolationPolicy
//   IsolationProbe
//   ModelCapacity
//   NextTurnReply
//   NoticeEvent
//   Observers
//   PolicySource
//   PolicySourceOptions
//   QueueKind
//   QueueMode
//   RequestedCapabilities
//   ResultEvent
//   ResultKind
//   RetryEvent
//   RunOptions
//   RunResult
//   SendOptions
//   ServiceName
//   SessionChoice
//   SessionSettings
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
//   finishAdd
//   finishRun
//   finishSignalsArm
//   isAgentError
//   streamEventSchema
// @ashlar/agent/loop
//   AfterStore
//   AgentEvent
//   AgentStreamEvent
//   AnsweredInput
//   AskSummary
//   BatchSchedule
//   Budget
//   BudgetEvent
//   BudgetLimits
//   BudgetRule
//   BudgetStop
//   CallIds
//   CallOutcome
//   ChildBudgetResult
//   CompactedInput
//   CompactionCause
//   CompactionEndEvent
//   CompactionEvent
//   CompactionFailedEvent
//   CompactionPlan
//   CompactionReason
//   CompactionStartEvent
//   ContextFill
//   ContextPolicy
//   DEFAULT_BUDGET
//   EXIT_CODES
//   FailedAttempt
//   FileLists
//   LargestMessage
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
//   PlanLimits
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
//   SummaryLimits
//   SummaryParts
//   TerminalState
//   ThrottledEvent
//   ToolAnswer
//   ToolDataEvent
//   ToolExecuteEvent
//   ToolResultEvent
//   UnrunReason
//   classifyTerminal
//   compactionThreshold
//   costOf
//   createSummaryMessage
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
//   planCompaction
//   readArguments
//   readSummaryMessage
//   readToolError
//   readToolValue
//   resultOf
//   step
//   summarizePlan
// @ashlar/agent/tools
//   toolsRoot
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
interface AfterTool extends Asked {
    readonly callId: string;
    readonly name: string;
    readonly arguments: unknown;
    readonly content: readonly Block[];
    readonly error: boolean;
    readonly display: readonly Block[] | undefined;
}
interface AfterToolReply {
    readonly content?: unknown;
    readonly error?: boolean;
    readonly display?: unknown;
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
    readonly parent: Agent | undefined;
    readonly folder: string;
    constructor(options?: AgentOptions, parent?: Agent);
    static fork(agent: Agent): Promise<Agent>;
    get can(): AgentCapabilities;
    get env(): AgentEnv;
    get model(): string;
    set model(selector: string);
    get session(): SessionInfo | undefined;
    get policy(): AgentPolicy;
    get usage(): Usage;
    get contextUsage(): AgentContextUsage;
    get tools(): Promise<ReadonlyMap<string, ToolDescriptor>>;
    get busy(): boolean;
    get children(): readonly Agent[];
    get closeMarked(): boolean;
    get closed(): boolean;
    get pending(): number;
    get throttledUntil(): number | undefined;
    get scheduledAt(): number | undefined;
    send(input: UserInput, options?: SendOptions): void;
    pendingPop(): readonly UserMessage[];
    run(options?: RunOptions): Promise<ResultEvent>;
    runWhenReady(options?: RunOptions): Promise<ResultEvent>;
    compact(options?: CompactOptions): Promise<CompactionResult>;
    summarizeBranch(options: BranchSummaryOptions): Promise<BranchSummaryResult>;
    cancel(): void;
    toolCall(name: string, args?: unknown): Promise<ToolResultEvent>;
    childCreate(options: ChildOptions): Promise<Agent>;
    changes(): Promise<readonly Change[]>;
    undo(id?: string): Promise<UndoResult>;
    closeMark(): void;
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
        agentOpen(options?: AgentOpenOptions): Promise<A>;
        sessions(): Promise<SessionRepository>;
        sessionsUse(repository: SessionRepository): void;
        agents(): readonly A[];
        observe(observers: Observers): () => void;
        hooksRefresh(): Promise<readonly HookProblem[]>;
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
    spawn: boolean | undefined;
    network: boolean;
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
    readonly can?: RequestedCapabilities;
    readonly folder?: string;
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
    readonly interceptors?: readonly Interceptor[];
    readonly steering?: QueueMode;
    readonly followUp?: QueueMode;
    readonly execution?: Execution;
    readonly isolation?: Isolation;
    readonly resume?: boolean;
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
    project: {
        readonly session: string;
        readonly cwd: string;
        readonly folder: string;
    };
    undo: {
        readonly id?: string;
    };
    compaction: {
        readonly reason: CompactionFailure;
    };
}
type AgentErrorKind = keyof AgentErrorDetails;
type AgentEvent = ToolExecuteEvent | ToolDataEvent | ToolResultEvent | RetryEvent | ThrottledEvent | BudgetEvent | CompactionEvent | NoticeEvent | ResultEvent;
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
    COMPACTION_START: CompactionStartEvent;
    COMPACTION_END: CompactionEndEvent | CompactionFailedEvent;
    RESULT: ResultEvent;
    SENT_MESSAGE: UserMessage;
    CHILD_ADDED: {
        readonly name: string;
    };
    CHILD_REMOVED: {
        readonly name: string;
    };
    CLOSE_MARKED: undefined;
    CLOSED: undefined;
}
interface AgentMembership {
    readonly agent: HookAgent;
}
interface AgentOpenOptions extends AgentCreateOptions {
    readonly session?: SessionChoice | false;
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
        readonly autocompact?: number | false | undefined;
        readonly autocompactMax?: number | false | undefined;
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
        readonly steering?: "ask" | "open" | undefined;
        readonly fileBytes?: number | undefined;
        readonly memoryBytes?: number | undefined;
        readonly processes?: number | undefined;
        readonly temporaryBytes?: number | undefined;
        readonly [key: string]: unknown;
    };
    readonly sessions: {
        readonly save?: boolean | undefined;
        readonly store?: "jsonl" | "sqlite" | undefined;
        readonly folder?: string | undefined;
        readonly sync?: "durable" | "always" | "never" | undefined;
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
type AskSummary = (prompt: readonly Message[]) => Promise<string>;
interface Asked {
    readonly agent: HookAgent;
    readonly signal: AbortSignal;
}
class BatchSchedule {
    #private;
    constructor(pooled: readonly boolean[], concurrency: number);
    next(): number | undefined;
    finish(): void;
}
interface BeforeRequest extends Asked {
    readonly purpose: "answer" | "summary";
    readonly messages: readonly Message[];
    readonly model: string;
    readonly thinking: ThinkingLevel | undefined;
    readonly settings: Readonly<Record<string, unknown>>;
}
interface BeforeRequestReply {
    readonly messages?: readonly Message[];
    readonly thinking?: ThinkingLevel;
    readonly settings?: Readonly<Record<string, unknown>>;
}
interface BeforeTool extends Asked {
    readonly callId: string;
    readonly name: string;
    readonly arguments: unknown;
    readonly readOnly: boolean;
    readonly question: QuestionBridge | null;
}
type BeforeToolReply = {
    readonly block: string;
} | {
    readonly arguments: unknown;
};
interface BranchSummaryOptions {
    readonly to: string | null;
    readonly focus?: string;
    readonly signal?: AbortSignal;
}
interface BranchSummaryResult {
    readonly status: "summarized" | "nothing";
    readonly from: string | null;
    readonly summary?: string;
    readonly requests: number;
    readonly usage?: Usage;
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
    restart(limits: Partial<BudgetLimits>, startedAt: number): void;
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
interface ChildOptions extends Pick<AgentCreateOptions, "model" | "description" | "context" | "tools" | "folder" | "systemPrompt" | "thinking" | "format" | "settings" | "timeout" | "stream"> {
    readonly name: string;
    readonly can?: Pick<RequestedCapabilities, "write" | "network">;
}
interface CommandRequest {
    readonly command: string;
    readonly environment: Readonly<Record<string, string>>;
    readonly policy: IsolationPolicy;
    readonly onOutput: (bytes: Uint8Array) => void;
}
interface CompactOptions {
    readonly focus?: string;
    readonly keep?: number;
    readonly signal?: AbortSignal;
}
interface CompactedInput {
    readonly type: "compacted";
    readonly status: "done" | "nothing" | "failed";
    readonly tokens: number;
    readonly largest: LargestMessage | undefined;
    readonly requests: number;
    readonly usage: Usage | undefined;
    readonly error?: string;
}
type CompactionCause = {
    readonly reason: "threshold";
} | {
    readonly reason: "overflow";
    readonly failure: ErrorEvent;
};
interface CompactionEndEvent {
    readonly type: "compaction";
    readonly phase: "end";
    readonly reason: CompactionReason;
    readonly before: number;
    readonly after: number;
    readonly summary: string;
    readonly requests: number;
    readonly usage?: Usage;
}
type CompactionEvent = CompactionStartEvent | CompactionEndEvent | CompactionFailedEvent;
interface CompactionFailedEvent {
    readonly type: "compaction";
    readonly phase: "failed";
    readonly reason: CompactionReason;
    readonly before: number;
    readonly error: string;
    readonly requests: number;
    readonly usage?: Usage;
}
type CompactionFailure = "cancelled" | "budget" | "request" | "summary" | "changed";
interface CompactionPlan {
    readonly firstKept: number;
    readonly earlier: SummaryParts | undefined;
    readonly history: readonly ContextItem[];
    readonly turn: readonly ContextItem[];
    readonly request: readonly Block[];
    readonly files: FileLists;
    readonly hiddenTokens: number;
}
type CompactionReason = "threshold" | "overflow" | "manual";
interface CompactionResult {
    readonly status: "compacted" | "nothing";
    readonly before: number;
    readonly after: number;
    readonly summary?: string;
    readonly requests: number;
    readonly usage?: Usage;
}
interface CompactionStartEvent {
    readonly type: "compaction";
    readonly phase: "start";
    readonly reason: CompactionReason;
    readonly before: number;
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
    readonly largest?: LargestMessage | undefined;
}
interface ContextPolicy {
    readonly cap: number;
    readonly turn: number;
    readonly assumedWindow: number;
    readonly autocompact: number;
    readonly autocompactMax: number;
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
interface FileLists {
    readonly read: readonly string[];
    readonly changed: readonly string[];
}
interface FinishedTurn extends Asked {
    readonly message: AssistantMessage;
    readonly results: readonly ToolResultMessage[];
    readonly requests: number;
}
interface HookAgent {
    readonly name: string;
    readonly description: string;
    readonly model: string;
    readonly env: Env;
    readonly context: Pick<Context, "at" | "items" | "length" | "messages">;
    readonly usage: Usage;
    readonly send: (input: UserInput, options?: SendOptions) => void;
    readonly cancel: () => void;
}
interface HookProblem {
    readonly file: string;
    readonly message: string;
}
type HookReply<T> = T | undefined | void | Promise<T | undefined | void>;
interface HostServices {
    readonly names: readonly ServiceName[];
    readonly perform: (service: ServiceName, method: string, args: readonly unknown[]) => Promise<unknown>;
}
interface Interceptor {
    readonly name?: string;
    readonly beforeTool?: (call: BeforeTool) => HookReply<BeforeToolReply>;
    readonly afterTool?: (call: AfterTool) => HookReply<AfterToolReply>;
    readonly beforeRequest?: (request: BeforeRequest) => HookReply<BeforeRequestReply>;
    readonly stopAfterTurn?: (turn: FinishedTurn) => HookReply<boolean>;
    readonly prepareNextTurn?: (turn: FinishedTurn) => HookReply<NextTurnReply>;
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
interface LargestMessage {
    readonly position: number;
    readonly role: "system" | "user" | "assistant" | "tool result";
    readonly tokens: number;
}
type LoopEffect = {
    readonly type: "prepare";
    readonly at: PollPoint;
} | {
    readonly type: "compact";
    readonly reason: "threshold" | "overflow";
    readonly window: number | undefined;
    readonly needed: number | undefined;
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
    readonly stops: boolean;
} | {
    readonly type: "dispatch";
    readonly calls: readonly ToolCallBlock[];
    readonly unrun: UnrunReason | undefined;
} | {
    readonly type: "decide";
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
} | PreparedInput | CompactedInput | {
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
    readonly type: "decided";
    readonly stoppedBy: string | undefined;
    readonly pending: boolean;
} | UnneededInput | {
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
    readonly decided: boolean;
}
type LoopState = {
    readonly name: "idle";
    readonly memory: RunMemory;
} | {
    readonly name: "preparing";
    readonly memory: RunMemory;
} | {
    readonly name: "compacting";
    readonly memory: RunMemory;
    readonly cause: CompactionCause;
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
    readonly name: "deciding";
    readonly memory: RunMemory;
    readonly at: TurnEnd;
} | {
    readonly name: "ended";
    readonly memory: RunMemory;
    readonly outcome: Outcome;
};
type Memory = Pick<RunMemory, "requests" | "usage" | "message" | "doneReason" | "refused">;
interface ModelCapacity {
    readonly maxActive: number;
    readonly active: number;
    readonly available: number;
}
const NO_REPETITION: Repetition;
interface NextTurnReply {
    readonly model?: string;
    readonly thinking?: ThinkingLevel;
}
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
type Observers = {
    readonly [Name in AgentEventName]?: (payload: AgentEventPayloads[Name], agent: HookAgent) => unknown;
} & {
    readonly [Name in keyof CoreEvents]?: (payload: CoreEvents[Name]) => unknown;
} & {
    readonly AGENT_ADDED?: (payload: AgentMembership, agent: HookAgent) => unknown;
    readonly AGENT_REMOVED?: (payload: AgentMembership, agent: HookAgent) => unknown;
    readonly [event: symbol]: (payload: never, agent: never) => unknown;
};
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
    readonly stoppedBy?: string;
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
interface PlanLimits {
    readonly keep: number;
    readonly least: number;
    readonly room: number;
    readonly carried: number;
}
interface PolicySource {
    readonly policy: (write: boolean, writes?: readonly string[]) => Promise<IsolationPolicy>;
}
interface PolicySourceOptions {
    readonly env: Env;
    readonly folder: string;
    readonly notice: (message: string) => void;
}
type PollPoint = "start" | "batch" | "stop";
interface PreparedInput {
    readonly type: "prepared";
    readonly tokens: number;
    readonly window: number | undefined;
    readonly received: boolean;
    readonly policy?: LoopPolicy | undefined;
    readonly largest?: LargestMessage | undefined;
}
type QueueKind = "steer" | "followUp";
type QueueMode = "one" | "all";
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
interface RequestedCapabilities {
    readonly write?: boolean;
    readonly spawn?: boolean | undefined;
    readonly network?: boolean;
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
    readonly stoppedBy?: string;
    readonly session?: string;
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
    readonly window: number | undefined;
    readonly largest: LargestMessage | undefined;
    readonly compactAt: number;
    readonly overflowed: boolean;
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
    readonly after?: number | string;
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
interface SendOptions {
    readonly as?: QueueKind;
}
type ServiceName = "question" | "background" | "changes" | "skills";
interface SessionChoice {
    readonly repository?: SessionRepository;
    readonly id?: string;
    readonly name?: string;
    readonly resume?: string;
    readonly fork?: string;
    readonly whole?: boolean;
    readonly childOf?: string;
}
interface SessionSettings {
    readonly model?: string;
    readonly name?: string;
    readonly description?: string;
    readonly thinking?: ThinkingLevel;
    readonly tools?: readonly string[];
    readonly can?: {
        readonly write?: boolean;
        readonly spawn?: boolean;
        readonly network?: boolean;
    };
    readonly child?: true;
}
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
interface SummaryLimits {
    readonly request: number;
    readonly summary: number;
    readonly focus?: string | undefined;
}
interface SummaryParts {
    readonly text: string;
    readonly files: FileLists;
    readonly request: readonly Block[];
}
type TerminalState = {
    readonly kind: "answer";
    readonly done: DoneEvent;
    readonly calls: readonly ToolCallBlock[];
} | {
    readonly kind: "cut" | "refused";
    readonly done: DoneEvent;
    readonly calls: readonly ToolCallBlock[];
} | {
    readonly kind: "empty";
    readonly failure: ErrorEvent;
    readonly again: boolean;
} | {
    readonly kind: "overflow";
    readonly failure: ErrorEvent;
} | {
    readonly kind: "cancelled";
    readonly failure: ErrorEvent;
} | {
    readonly kind: "failed";
    readonly failure: ErrorEvent;
};
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
type TurnEnd = {
    readonly point: "batch";
} | {
    readonly point: "stop";
    readonly pending: boolean;
};
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
interface UnneededInput {
    readonly type: "unneeded";
}
type UnrunReason = "cut" | "cancelled" | "failed" | "refused";
type UserInput = string | readonly Block[];
function classifyTerminal(terminal: TerminalEvent, cancelled: boolean): TerminalState;
function compactionThreshold(policy: ContextPolicy, window: number | undefined): number;
function costOf(usage: Usage | undefined, price: {
    readonly input: number;
    readonly output: number;
} | undefined): number | undefined;
function createPolicySource(options: PolicySourceOptions): PolicySource;
function createSummaryMessage({ text, files, request }: SummaryParts): UserMessage;
function errorAnswer(text: string, system?: readonly string[]): ToolAnswer;
function exitCodeOf(result: {
    readonly kind: ResultKind;
}): number;
function explainEmptyAnswer(done: DoneEvent): {
    readonly error: string;
    readonly retry: boolean;
} | undefined;
function finishAdd(cleanup: () => void): () => void;
function finishRun(): void;
function finishSignalsArm(): () => void;
function guardContext(fill: ContextFill, policy: ContextPolicy): BudgetStop | undefined;
function idleState(policy: LoopPolicy): LoopState;
function isAgentError(value: unknown): value is AgentError;
function isRetried(failure: ErrorEvent): boolean;
function judgeFailure(attempt: FailedAttempt, policy: RetryPolicy): RetryVerdict;
function localCalls(message: AssistantMessage | undefined): readonly ToolCallBlock[];
function observeCalls(before: Repetition, batch: readonly ObservedCall[], limits: RepetitionLimits): RepetitionVerdict;
function pairResponse(message: AssistantMessage, results: readonly ToolResultMessage[], ids: CallIds): PairedResponse;
function permit(call: PermissionSubject, state: PermissionState): Permission;
function planCompaction(items: readonly ContextItem[], limits: PlanLimits): CompactionPlan | undefined;
const plugin: Extended<typeof IOEnv, AgentAdds>;
function readArguments(given: unknown): ReadArguments;
function readSummaryMessage(item: ContextItem): SummaryParts | undefined;
function readToolError(error: unknown): ToolAnswer;
function readToolValue(value: unknown): ToolAnswer;
function resultOf(memory: Memory, outcome: Outcome): ResultEvent;
function runToolPackConformance(subject: ToolPackSubject): Promise<ToolPackReport>;
function serve(channel: WorkerChannel): void;
function step(state: LoopState, input: LoopInput): Step;
const streamEventSchema: JsonSchema;
function summarizePlan({ earlier, history, turn }: CompactionPlan, limits: SummaryLimits, ask: AskSummary): Promise<string | undefined>;
const toolPackConformance: readonly ToolPackCase[];
const toolsRoot: string;
function unmetNeed({ needs }: ToolPackCase): Promise<string | undefined>;
