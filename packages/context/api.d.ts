// @ashlar/context
//   ASHLAR_ERROR
//   AcceptOptions
//   AppendOptions
//   AshlarError
//   AshlarErrorJson
//   AshlarErrorShape
//   Assembler
//   AssistantMessage
//   AttachmentInput
//   BinaryBlock
//   Block
//   BlockEvent
//   BlockKinds
//   BranchQuery
//   BranchSummary
//   Callbacks
//   Clock
//   CommitOptions
//   Compaction
//   CompactionEntry
//   Context
//   ContextError
//   ContextErrorDetails
//   ContextErrorKind
//   ContextItem
//   ContextOptions
//   ContextRecord
//   CreateSessionOptions
//   CustomEntry
//   DamageReason
//   DoneEvent
//   DoneReason
//   EVENTS_VERSION
//   EditEntry
//   EntryBase
//   EntryKind
//   EntryMender
//   ErrorEvent
//   EventCallbackName
//   EventCallbacks
//   EventSink
//   ForkPlan
//   ForkSessionOptions
//   ForkTarget
//   ImageBlock
//   JSON_MAX_DEPTH
//   JournalEntry
//   JournalEvent
//   JournalProblem
//   JournalProblemReason
//   JournalState
//   JsonObject
//   JsonPrimitive
//   JsonSchema
//   JsonValue
//   LabelEntry
//   LeafEntry
//   LeafReason
//   ListSessionsOptions
//   LogQuery
//   MAIN_LANE
//   MemoryRepositoryOptions
//   Message
//   MessageContent
//   MessageEntry
//   MessageMetadata
//   MessageType
//   MimeInput
//   NO_USAGE
//   NameEntry
//   OpenContextOptions
//   OpenOperation
//   OpenSessionOptions
//   OperationFinished
//   OperationOutcome
//   OperationPurpose
//   OperationStarted
//   ParsedInput
//   PathEntry
//   PrependEntry
//   Randomness
//   RecordEntry
//   RemoveEntry
//   ReportedUsage
//   RequestErrorKind
//   ResponseEvent
//   ResumeInput
//   ResumePlan
//   SearchHit
//   SearchOptions
//   SearchScan
//   SessionDamage
//   SessionEntry
//   SessionError
//   SessionErrorDetails
//   SessionErrorKind
//   SessionFacts
//   SessionInfo
//   SessionOrigin
//   SessionRepository
//   SessionStats
//   SessionStore
//   SideEntry
//   StartEvent
//   StartedCall
//   StepAttempt
//   StoredSession
//   SummaryEntry
//   SystemMessage
//   TerminalEvent
//   TextBlock
//   TextDeltaEvent
//   TextEndEvent
//   TextStartEvent
//   ThinkingBlock
//   ThinkingDeltaEvent
//   ThinkingEndEvent
//   ThinkingStartEvent
//   TokenCalibration
//   TokenSample
//   ToolCallBlock
//   ToolCallDeltaEvent
//   ToolCallEndEvent
//   ToolCallResultEvent
//   ToolCallStartEvent
//   ToolResultInput
//   ToolResultMessage
//   ToolStarted
//   Usage
//   UsageCause
//   UsageReported
//   UserMessage
//   acceptEntries
//   addUsage
//   blockHasContent
//   callbacksToSink
//   canonicalJson
//   checkLimit
//   checkLogQuery
//   checkSessionId
//   contentBinary
//   contentText
//   createAssembler
//   createMemoryRepository
//   createMemoryStore
//   createUuid7
//   cutPositions
//   entryText
//   estimateTokens
//   eventCallbackName
//   foldText
//   forkEnd
//   forkedEntries
//   frozenCopy
//   isAshlarError
//   isAssistantMessage
//   isContextError
//   isEntry
//   isMessage
//   isObject
//   isPathEntry
//   isRecord
//   isSessionError
//   isToolResultMessage
//   jsonEqual
//   messageAssistant
//   messageErrorText
//   messageHasContent
//   messageSystem
//   messageToolResult
//   messageUser
//   mimeDetect
//   nearestName
//   oncePerMessage
//   parseInput
//   previewOf
//   redactAuth
//   reduceJournal
//   requestView
//   resolveSessionId
//   responseEventSchema
//   resumePlan
//   selectEntries
//   toolCallsOf
//   usageFinalize
//   usageSummary
//   validateEvent
//   validateMessage
//   validateMessages
//   wellFormed
//   wellFormedJson
// @ashlar/context/provider
//   AssistantMessage
//   AuthRecord
//   BinaryBlock
//   Block
//   CatalogueQuery
//   ClassifiedError
//   ContentIndexer
//   DefinedProvider
//   DetectQuery
//   DetectedEndpoint
//   DoneReason
//   Fetch
//   FetchInit
//   FetchResponse
//   ImageBlock
//   JsonSchema
//   JsonValue
//   KnownEndpoint
//   LoginInput
//   Message
//   MessageType
//   ModelMetadata
//   PROVIDER_CONTRACT
//   PlanUsage
//   ProviderClass
//   ProviderInstance
//   ProviderMetadata
//   ProviderTool
//   RequestErrorKind
//   ResponseEvent
//   SendBase
//   SystemMessage
//   TextBlock
//   ThinkingBlock
//   ToolCallBlock
//   ToolDescriptor
//   ToolResultMessage
//   UserMessage
//   WireContext
//   WireMessage
//   WireRequest
//   WireResponse
//   accept
//   createContentIndexer
//   defineProvider
// @ashlar/context/tool
//   Answer
//   BackgroundCommand
//   BackgroundCommands
//   BackgroundOutput
//   Block
//   ClosedWorker
//   Execution
//   FileChange
//   FileChanges
//   FileKind
//   FileStat
//   Files
//   JsonSchema
//   JsonValue
//   OpenFile
//   Question
//   QuestionBridge
//   Shell
//   ShellExit
//   ShellOptions
//   StandardSchema
//   TOOL_CONTRACT
//   ToolContent
//   ToolContext
//   ToolDescription
//   ToolDescriptions
//   ToolEnv
//   ToolFunction
//   ToolModule
//   ToolPayload
//   ToolRecords
//   ToolResult
//   ToolSettings
//   ToolSkill
//   ToolSkillFile
//   ToolsRefresh
//   Worker
//   WorkerModel
//   WorkerRequest
//   Workers
//   WriteOptions
//   defineTool
//   nextToolRevision
//   toolRevision
// @ashlar/context/testing
//   StoreConformanceCase
//   StoreConformanceResult
//   StoreFailure
//   StoreFailureDetails
//   StoreFixture
//   StoreNeed
//   runStoreCase
//   runStoreConformance
//   storeConformance

const ASHLAR_ERROR: unique symbol;
interface AcceptOptions {
    readonly serialises?: boolean;
}
type Answer = {
    readonly labels: readonly string[];
} | {
    readonly text: string;
} | {
    readonly abandoned: true;
};
interface AppendOptions {
    readonly merge?: boolean;
}
class AshlarError<Kind extends string = string, Details extends object = object> extends Error implements AshlarErrorShape<Kind, Details> {
    readonly [ASHLAR_ERROR] = true;
    readonly kind: Kind;
    readonly details: Details;
    constructor(kind: Kind, message: string, details: Details, options?: {
        readonly cause?: unknown;
    });
    toJSON(): AshlarErrorJson;
}
interface AshlarErrorJson {
    readonly name: string;
    readonly kind: string;
    readonly message: string;
    readonly details: object;
}
interface AshlarErrorShape<Kind extends string = string, Details extends object = object> extends Error {
    readonly [ASHLAR_ERROR]: true;
    readonly kind: Kind;
    readonly details: Details;
    readonly cause?: unknown;
    readonly toJSON: () => AshlarErrorJson;
}
interface Assembler {
    readonly push: (event: ResponseEvent) => void;
    readonly message: () => AssistantMessage;
    readonly results: () => readonly ToolResultMessage[];
}
interface AssistantMessage extends MessageBase {
    readonly type: typeof MessageType.assistant;
    readonly error?: string | {
        readonly message: string;
        readonly retry?: number;
    };
    readonly incomplete?: boolean;
}
interface AttachmentInput {
    readonly bytes: Uint8Array;
    readonly filename?: string;
    readonly mimetype?: string;
}
interface AuthRecord {
    readonly type: "api_key" | "oauth" | "bearer" | "none";
    readonly token?: string;
    readonly refresh?: string;
    readonly expires?: number;
    readonly [extra: string]: unknown;
}
interface BackgroundCommand {
    readonly id: string;
    readonly command: string;
    readonly running: boolean;
    readonly exitCode: number | null;
    readonly signal: string | null;
}
interface BackgroundCommands {
    readonly start: (command: string, options: {
        readonly environment?: Readonly<Record<string, string>>;
    }) => Promise<BackgroundCommand & {
        readonly preview: string;
    }>;
    readonly list: () => Promise<readonly BackgroundCommand[]>;
    readonly output: (id: string, from: number) => Promise<BackgroundOutput>;
    readonly stop: (id: string) => Promise<BackgroundCommand>;
}
interface BackgroundOutput {
    readonly text: string;
    readonly dropped: number;
    readonly next: number;
}
interface BinaryBlock {
    readonly type: "binary";
    readonly content: string;
    readonly mimetype?: string;
    readonly filename?: string;
}
type Block = BlockKinds[keyof BlockKinds];
type BlockEvent = TextStartEvent | TextDeltaEvent | TextEndEvent | ThinkingStartEvent | ThinkingDeltaEvent | ThinkingEndEvent | ToolCallStartEvent | ToolCallDeltaEvent | ToolCallEndEvent | ToolCallResultEvent;
interface BlockKinds {
    text: TextBlock;
    image: ImageBlock;
    binary: BinaryBlock;
    thinking: ThinkingBlock;
    toolCall: ToolCallBlock;
}
interface BranchQuery {
    readonly from?: string;
    readonly kinds?: readonly EntryKind[];
    readonly customName?: string;
    readonly order?: "newest" | "oldest";
    readonly after?: string;
    readonly stopAt?: string;
    readonly stopAtKind?: EntryKind;
    readonly limit?: number;
}
interface BranchSummary {
    readonly from: string;
    readonly message: Message;
    readonly details?: JsonValue;
}
interface Callbacks extends EventCallbacks {
    readonly onData?: (event: ResponseEvent) => void;
    readonly onLog?: (text: string) => void;
    readonly onTerminal?: (event: TerminalEvent) => void;
}
interface CatalogueQuery {
    readonly url: string;
    readonly auth: AuthRecord | undefined;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly signal: AbortSignal;
    readonly fetch: Fetch;
}
interface ClassifiedError {
    readonly kind: RequestErrorKind;
    readonly message: string;
    readonly status?: number;
    readonly retryAfterMs?: number;
    readonly contextOverflow?: {
        readonly window?: number;
        readonly needed?: number;
    };
    readonly retryable?: boolean;
}
type Clock = () => number;
interface ClosedWorker {
    readonly name: string;
    readonly end: "idle" | "finished" | "cancelled";
}
interface CommitOptions {
    readonly durable?: boolean;
}
interface Compaction {
    readonly firstKept: number;
    readonly summary: Message;
    readonly details?: JsonValue;
}
interface CompactionEntry extends EntryBase {
    readonly kind: "compaction";
    readonly firstKept: string | null;
    readonly summary: Message;
    readonly details?: JsonValue;
}
type ContentIndexer = (key: string | number) => number;
class Context implements Iterable<ContextItem> {
    #private;
    constructor(options?: ContextOptions);
    get id(): string;
    static open({ lane, whole, ...options }: OpenContextOptions): Promise<Context>;
    get stored(): boolean;
    get length(): number;
    at(position: number): ContextItem | undefined;
    items(): readonly ContextItem[];
    messages(): readonly Message[];
    blockAt(position: number, blockPosition: number): Block | undefined;
    append(item: ContextItem, options?: AppendOptions): number;
    prepend(item: ContextItem): void;
    edit(position: number, item: ContextItem): void;
    editBlock(position: number, blockPosition: number, block: Block): void;
    pop(): ContextItem | undefined;
    remove(positions: readonly number[]): void;
    rollback(position: number): void;
    errorPop(): AssistantMessage | undefined;
    update(change: (context: this) => boolean): boolean;
    undo(): boolean;
    redo(): boolean;
    seal(): void;
    compact({ firstKept, summary, details }: Compaction): void;
    addBranchSummary({ from, message, details }: BranchSummary): number;
    addCustom(name: string, data: JsonValue): void;
    get name(): string | undefined;
    rename(name: string | null): void;
    get labels(): ReadonlyMap<string, string>;
    label(position: number, text: string | null): void;
    get stats(): SessionStats;
    get lanes(): ReadonlyMap<string, string | null>;
    moveLane(lane: string, to: string | null): void;
    get leaf(): string | null;
    moveTo(id: string | null): void;
    entries(query?: BranchQuery): readonly PathEntry[];
    journal(event: JournalEvent): void;
    get journalState(): JournalState;
    resumePlan(replayOf: (name: string) => "never" | "safe" | undefined): ResumePlan;
    flush(options?: CommitOptions): Promise<void>;
    close(): Promise<void>;
    [Symbol.iterator](): IterableIterator<ContextItem>;
    toJSON(): readonly ContextItem[];
}
class ContextError<Kind extends ContextErrorKind = ContextErrorKind> extends AshlarError<Kind, ContextErrorDetails[Kind]> {
    constructor(kind: Kind, message: string, details: ContextErrorDetails[Kind], options?: {
        readonly cause?: unknown;
    });
}
interface ContextErrorDetails {
    malformed: {
        readonly at?: string;
    };
    usage: {
        readonly argument?: string;
    };
    contract: {
        readonly name: string;
        readonly contract?: number;
        readonly member?: string;
    };
    storage: {
        readonly unsaved: number;
    };
    closed: Record<string, never>;
}
type ContextErrorKind = keyof ContextErrorDetails;
type ContextItem = Message | ContextRecord;
interface ContextOptions {
    readonly id?: string;
    readonly items?: readonly ContextItem[];
    readonly entries?: readonly SessionEntry[];
    readonly store?: SessionStore;
    readonly now?: Clock;
    readonly random?: Randomness;
}
interface ContextRecord {
    readonly type: string;
    readonly [field: string]: unknown;
}
interface CreateSessionOptions {
    readonly id?: string;
    readonly created?: number;
    readonly cwd?: string;
    readonly name?: string;
    readonly parent?: SessionOrigin;
    readonly settings?: JsonObject;
}
interface CustomEntry extends EntryBase {
    readonly kind: "custom";
    readonly name: string;
    readonly data: JsonValue;
}
type DamageReason = "format" | "unreadable" | "torn" | "malformed" | "duplicate" | "missing" | "disorder" | "orphan";
type DefinedProvider<Class extends ProviderClass> = [
    Stray<Class>
] extends [
    never
] ? Class : {
    readonly "no member of the provider contract; start private names with _ or #": Stray<Class>;
};
interface DetectQuery {
    readonly endpoints: readonly string[];
    readonly environment: Readonly<Record<string, string | undefined>>;
    readonly signal: AbortSignal;
    readonly fetch: Fetch;
}
interface DetectedEndpoint {
    readonly url: string;
    readonly auth?: AuthRecord;
}
interface DoneEvent {
    readonly type: "done";
    readonly doneReason?: DoneReason;
    readonly message?: AssistantMessage;
    readonly usage?: Usage;
    readonly results?: readonly ToolResultMessage[];
    readonly warnings?: readonly string[];
}
type DoneReason = "stop" | "length" | "toolCalls" | "refusal" | "other";
const EVENTS_VERSION = 1;
interface EditEntry extends EntryBase {
    readonly kind: "edit";
    readonly targets: readonly string[];
    readonly item: ContextItem;
}
interface EntryBase {
    readonly id: string;
    readonly seq: number;
    readonly parent: string | null;
    readonly at: number;
    readonly joined?: true;
    readonly lane?: string;
}
type EntryKind = SessionEntry["kind"];
class EntryMender {
    #private;
    constructor(report: (damage: SessionDamage) => void);
    add(value: unknown, at: () => string): readonly SessionEntry[];
    end(): readonly SessionEntry[];
}
interface ErrorEvent {
    readonly type: "error";
    readonly error: string;
    readonly kind?: RequestErrorKind;
    readonly status?: number;
    readonly retryAfterMs?: number;
    readonly cancelled?: true;
    readonly contextOverflow?: {
        readonly window?: number;
        readonly needed?: number;
    };
    readonly retryable?: boolean;
    readonly idle?: true;
    readonly message?: AssistantMessage;
    readonly usage?: Usage;
    readonly results?: readonly ToolResultMessage[];
    readonly warnings?: readonly string[];
}
type EventCallbackName<Type extends ResponseEvent["type"]> = `on${Pascal<Type>}`;
type EventCallbacks = {
    readonly [Event in ResponseEvent as EventCallbackName<Event["type"]>]?: ((event: Event) => void) | false | null;
};
type EventSink = (event: ResponseEvent) => void;
interface Execution {
    readonly files: Files;
    readonly shell: Shell;
}
type Fetch = (url: string, init?: FetchInit) => Promise<FetchResponse>;
interface FetchInit {
    readonly method?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal?: AbortSignal;
}
interface FetchResponse {
    readonly ok: boolean;
    readonly status: number;
    readonly headers: {
        readonly get: (name: string) => string | null;
    };
    readonly text: () => Promise<string>;
    readonly json: () => Promise<unknown>;
}
interface FileChange {
    readonly id: string;
    readonly path: string;
    readonly before: Uint8Array | null;
    readonly after: string | null;
}
interface FileChanges {
    readonly find: (id: string) => Promise<FileChange | undefined>;
}
type FileKind = "file" | "directory" | "link" | "fifo" | "socket" | "device";
interface FileStat {
    readonly kind: FileKind;
    readonly size: number;
    readonly mtimeMs: number;
    readonly mode: number;
    readonly links: number;
    readonly identity: string;
}
interface Files {
    readonly realpath: (path: string) => Promise<string>;
    readonly lstat: (path: string) => Promise<FileStat>;
    readonly readlink: (path: string) => Promise<string>;
    readonly list: (path: string) => Promise<readonly {
        readonly name: string;
        readonly kind: FileKind;
    }[]>;
    readonly open: (path: string) => Promise<OpenFile>;
    readonly write: (path: string, bytes: Uint8Array, options?: WriteOptions) => Promise<void>;
    readonly createFolder: (path: string) => Promise<void>;
    readonly remove: (path: string) => Promise<void>;
}
interface ForkPlan {
    readonly end: string | null;
    readonly taken: ReadonlySet<string> | undefined;
}
interface ForkSessionOptions extends ForkTarget {
    readonly id?: string;
    readonly cwd?: string;
}
interface ForkTarget {
    readonly scope?: "branch" | "tree";
    readonly entry?: string;
    readonly position?: "at" | "before";
}
interface ImageBlock {
    readonly type: "image";
    readonly content: string;
    readonly mimetype?: string;
}
const JSON_MAX_DEPTH = 512;
interface JournalEntry extends EntryBase {
    readonly kind: "journal";
    readonly event: JournalEvent;
}
type JournalEvent = OperationStarted | OperationFinished | StepAttempt | ToolStarted | UsageReported;
interface JournalProblem {
    readonly reason: JournalProblemReason;
    readonly message: string;
    readonly entry?: string;
}
type JournalProblemReason = "second_operation" | "operation_reused" | "unknown_operation" | "after_finish" | "attempt_order" | "call_repeated";
interface JournalState {
    readonly open: OpenOperation | undefined;
    readonly problems: readonly JournalProblem[];
}
interface JsonObject {
    readonly [key: string]: JsonValue;
}
type JsonPrimitive = string | number | boolean | null;
interface JsonSchema {
    readonly [keyword: string]: unknown;
}
type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject;
interface KnownEndpoint {
    readonly name: string;
    readonly label: string;
    readonly url: string;
    readonly note?: string;
}
interface LabelEntry extends EntryBase {
    readonly kind: "label";
    readonly target: string;
    readonly text: string | null;
}
interface LeafEntry extends EntryBase {
    readonly kind: "leaf";
    readonly to: string | null;
    readonly reason: LeafReason;
}
type LeafReason = "rollback" | "undo" | "redo" | "cancel" | "move";
interface ListSessionsOptions {
    readonly cwd?: string;
    readonly limit?: number;
}
interface LogQuery {
    readonly afterSeq?: number;
    readonly kinds?: readonly EntryKind[];
    readonly lane?: string;
    readonly limit?: number;
}
interface LoginInput {
    readonly url: string;
    readonly token?: string;
}
const MAIN_LANE = "main";
interface MemoryRepositoryOptions {
    readonly now?: Clock;
    readonly random?: Randomness;
}
type Message = SystemMessage | UserMessage | AssistantMessage | ToolResultMessage;
interface MessageBase {
    readonly content: readonly Block[];
    readonly [metadata: string]: unknown;
}
type MessageContent = string | readonly Block[];
interface MessageEntry extends EntryBase {
    readonly kind: "message";
    readonly message: Message;
    readonly merge?: false;
}
type MessageMetadata = Readonly<Record<string, unknown>>;
const MessageType: {
    readonly system: 1;
    readonly user: 2;
    readonly assistant: 3;
    readonly toolResult: 4;
};
type MessageType = (typeof MessageType)[keyof typeof MessageType];
interface MimeInput {
    readonly filename?: string;
    readonly bytes?: Uint8Array;
}
interface ModelMetadata {
    readonly label?: string;
    readonly contextWindow?: number;
    readonly maxContextWindow?: number;
    readonly maxTokens?: number;
    readonly thinking?: readonly string[];
    readonly thinkingDefault?: string;
    readonly input?: readonly string[];
    readonly tools?: boolean;
    readonly secret?: boolean;
    readonly price?: {
        readonly input: number;
        readonly output: number;
    };
}
const NO_USAGE: Usage;
interface NameEntry extends EntryBase {
    readonly kind: "name";
    readonly name: string | null;
}
interface OpenContextOptions extends Omit<ContextOptions, "entries" | "items"> {
    readonly store: SessionStore | StoredSession;
    readonly lane?: string;
    readonly whole?: boolean;
}
interface OpenFile {
    readonly stat: () => Promise<FileStat>;
    readonly read: (buffer: Uint8Array, position: number) => Promise<number>;
    readonly close: () => Promise<void>;
}
interface OpenOperation {
    readonly id: string;
    readonly purpose: OperationPurpose;
    readonly started: number;
    readonly step: number;
    readonly attempt: number;
    readonly calls: readonly StartedCall[];
}
interface OpenSessionOptions {
    readonly readonly?: boolean;
}
interface OperationFinished {
    readonly type: "operation_finished";
    readonly operation: string;
    readonly outcome: OperationOutcome;
}
type OperationOutcome = "completed" | "cancelled" | "failed";
type OperationPurpose = "run" | "compaction" | "summary";
interface OperationStarted {
    readonly type: "operation_started";
    readonly operation: string;
    readonly purpose: OperationPurpose;
}
const PROVIDER_CONTRACT = 1;
interface ParsedInput {
    readonly items: readonly ContextItem[];
}
type Pascal<Type extends string> = Type extends `${infer Head}_${infer Tail}` ? `${Capitalize<Head>}${Pascal<Tail>}` : Capitalize<Type>;
type PathEntry = MessageEntry | RecordEntry | EditEntry | RemoveEntry | PrependEntry | CompactionEntry | SummaryEntry | CustomEntry;
interface PlanUsage {
    readonly label?: string;
    readonly quotas: Readonly<Record<string, {
        readonly total?: number;
        readonly remaining?: number;
        readonly used?: number;
        readonly reset?: string;
    }>>;
}
interface PrependEntry extends EntryBase {
    readonly kind: "prepend";
    readonly item: ContextItem;
}
interface ProviderClass<Instance extends object = ProviderInstance<never>> {
    new (url: string, io: WireContext): Instance;
    readonly contract: number;
    readonly provider: ProviderMetadata;
    readonly knownEndpoints?: readonly KnownEndpoint[];
    readonly detectEnvironment?: (environment: Readonly<Record<string, string | undefined>>) => Readonly<Record<string, DetectedEndpoint>>;
    readonly detect?: (query: DetectQuery) => Promise<Readonly<Record<string, DetectedEndpoint>>>;
    readonly detectEnvironmentOnly?: boolean;
    readonly models?: (query: CatalogueQuery) => Promise<Readonly<Record<string, ModelMetadata>>>;
    readonly testConnection?: (query: CatalogueQuery) => Promise<Readonly<Record<string, unknown>>>;
    readonly login?: (input: LoginInput) => Promise<AuthRecord>;
}
interface ProviderInstance<State extends object = Record<string, unknown>> {
    readonly context2msg?: (context: readonly Message[], io: WireContext) => WireMessage;
    readonly send?: (message: WireMessage, base: SendBase) => Promise<WireResponse | undefined>;
    readonly read?: () => Promise<unknown>;
    readonly msg2events?: (frame: unknown, state: State, io: WireContext) => readonly ResponseEvent[];
    readonly close?: () => void | Promise<void>;
    readonly reportPlanUsage?: (headers: Readonly<Record<string, string>>, io: WireContext) => void;
    readonly classifyError?: (error: unknown, base: (error: unknown) => ClassifiedError) => ClassifiedError;
    readonly depletionError?: (classified: ClassifiedError, base: (classified: ClassifiedError) => boolean) => boolean;
}
interface ProviderMetadata {
    readonly label: string;
    readonly capabilities: {
        readonly streaming: boolean;
        readonly thinking: readonly string[];
        readonly thinkingDefault?: string;
        readonly tools: boolean | Readonly<Record<string, ProviderTool>>;
    };
    readonly wire?: "openai-responses" | "openai-chat";
    readonly framing?: "sse" | "ndjson";
    readonly secret?: boolean;
    readonly timeout?: number;
    readonly connectTimeout?: number;
    readonly firstEventTimeout?: number;
    readonly stuckTimeout?: number;
}
interface ProviderTool {
    readonly description?: string;
    readonly inputSchema?: JsonSchema;
    readonly run?: (input: {
        readonly args: unknown;
        readonly io: WireContext;
        readonly signal: AbortSignal;
    }) => Promise<string | undefined>;
}
interface Question {
    readonly question: string;
    readonly header: string;
    readonly details?: string;
    readonly multiSelect?: boolean;
    readonly options: readonly {
        readonly label: string;
        readonly description: string;
        readonly preview?: string;
    }[];
}
interface QuestionBridge {
    readonly ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
}
type Randomness = (bytes: Uint8Array) => Uint8Array;
interface RecordEntry extends EntryBase {
    readonly kind: "record";
    readonly record: ContextRecord;
}
interface RemoveEntry extends EntryBase {
    readonly kind: "remove";
    readonly targets: readonly string[];
}
interface ReportedUsage {
    readonly inputTokens?: unknown;
    readonly outputTokens?: unknown;
    readonly cachedInputTokens?: unknown;
    readonly cost?: unknown;
}
type RequestErrorKind = "auth" | "network" | "provider" | "malformed" | "cancelled";
type ResponseEvent = StartEvent | BlockEvent | TerminalEvent;
interface ResumeInput {
    readonly items: readonly ContextItem[];
    readonly open: OpenOperation | undefined;
    readonly replayOf: (name: string) => "never" | "safe" | undefined;
}
interface ResumePlan {
    readonly repeat: readonly ToolCallBlock[];
    readonly close: readonly ToolResultMessage[];
}
interface SearchHit {
    readonly session: string;
    readonly entry: string;
    readonly at: number;
    readonly score: number;
    readonly snippet: string;
}
interface SearchOptions {
    readonly cwd?: string;
    readonly kinds?: readonly EntryKind[];
    readonly limit?: number;
    readonly signal?: AbortSignal;
}
class SearchScan {
    #private;
    readonly words: readonly string[];
    constructor(text: string, { kinds, limit }?: SearchOptions);
    get isBlank(): boolean;
    get hits(): readonly SearchHit[];
    look(session: string, entry: SessionEntry): void;
}
type SendBase = (request: WireRequest) => Promise<WireResponse>;
interface SessionDamage {
    readonly reason: DamageReason;
    readonly at: string;
    readonly message: string;
}
type SessionEntry = PathEntry | LeafEntry | SideEntry;
class SessionError<Kind extends SessionErrorKind = SessionErrorKind> extends AshlarError<Kind, SessionErrorDetails[Kind]> {
    constructor(kind: Kind, message: string, details: SessionErrorDetails[Kind], options?: {
        readonly cause?: unknown;
    });
}
interface SessionErrorDetails {
    missing: {
        readonly id: string;
    };
    ambiguous: {
        readonly id: string;
        readonly matches: readonly string[];
    };
    exists: {
        readonly id: string;
    };
    locked: {
        readonly id: string;
        readonly pid?: number;
        readonly host?: string;
        readonly since?: number;
        readonly heartbeat?: number;
    };
    overtaken: {
        readonly id: string;
        readonly pid?: number;
    };
    readonly: {
        readonly id: string;
    };
    version: {
        readonly found: number;
        readonly supported: number;
    };
    damaged: {
        readonly at: string;
    };
    conflict: {
        readonly seq: number;
        readonly expected: number;
    };
    usage: {
        readonly argument: string;
    };
    storage: {
        readonly code?: string;
    };
    closed: Record<string, never>;
}
type SessionErrorKind = keyof SessionErrorDetails;
class SessionFacts {
    #private;
    name: string | undefined;
    readonly labels: Map<string, string>;
    apply(entry: SessionEntry): void;
    get stats(): SessionStats;
}
interface SessionInfo {
    readonly id: string;
    readonly created: number;
    readonly updated: number;
    readonly cwd?: string;
    readonly name?: string;
    readonly preview?: string;
    readonly parent?: SessionOrigin;
    readonly settings?: JsonObject;
}
interface SessionOrigin {
    readonly session: string;
    readonly entry?: string;
}
interface SessionRepository {
    readonly create: (options?: CreateSessionOptions) => Promise<StoredSession>;
    readonly open: (id: string, options?: OpenSessionOptions) => Promise<StoredSession>;
    readonly find: (id: string) => Promise<SessionInfo>;
    readonly list: (options?: ListSessionsOptions) => Promise<readonly SessionInfo[]>;
    readonly latest: (options?: {
        readonly cwd?: string;
    }) => Promise<SessionInfo | undefined>;
    readonly rename: (id: string, name: string | null) => Promise<void>;
    readonly delete: (id: string) => Promise<boolean>;
    readonly fork: (id: string, options?: ForkSessionOptions) => Promise<SessionInfo>;
    readonly search: (text: string, options?: SearchOptions) => AsyncIterable<SearchHit>;
    readonly close?: () => Promise<void>;
}
interface SessionStats {
    readonly messages: number;
    readonly requests: number;
    readonly usage: Usage;
    readonly model?: string;
}
interface SessionStore {
    readonly load: () => Promise<readonly SessionEntry[]>;
    readonly read: (query?: LogQuery) => AsyncIterable<SessionEntry>;
    readonly append: (entries: readonly SessionEntry[], options?: CommitOptions) => Promise<void>;
    readonly close: () => Promise<void>;
}
interface Shell {
    readonly run: (command: string, options: ShellOptions) => Promise<ShellExit>;
}
interface ShellExit {
    readonly exitCode: number | null;
    readonly signal: string | null;
    readonly outputOpen?: boolean;
}
interface ShellOptions {
    readonly cwd: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly signal: AbortSignal;
    readonly onOutput: (stream: "stdout" | "stderr", bytes: Uint8Array) => void;
}
type SideEntry = LabelEntry | NameEntry | JournalEntry;
interface StandardSchema {
    readonly "~standard": {
        readonly version: 1;
        readonly vendor: string;
        readonly jsonSchema?: {
            readonly input: (options: {
                readonly target: string;
            }) => Record<string, unknown>;
        };
    };
}
interface StartEvent {
    readonly type: "start";
    readonly version: typeof EVENTS_VERSION;
    readonly model?: string;
}
interface StartedCall {
    readonly callId: string;
    readonly name: string;
    readonly replay: "never" | "safe";
}
interface StepAttempt {
    readonly type: "step_attempt";
    readonly operation: string;
    readonly step: number;
    readonly attempt: number;
}
interface StoreConformanceCase {
    readonly name: string;
    readonly why: string;
    readonly needs?: readonly StoreNeed[];
    readonly run: (fixture: StoreFixture) => Promise<void>;
}
interface StoreConformanceResult {
    readonly name: string;
    readonly outcome: "passed" | "failed" | "unmet";
    readonly reason?: string;
}
class StoreFailure extends AshlarError<"conformance", StoreFailureDetails> {
    constructor(expected: string, came: string);
}
interface StoreFailureDetails {
    readonly expected: string;
    readonly came: string;
}
interface StoreFixture {
    readonly repository: SessionRepository;
    readonly openSecond?: () => Promise<SessionRepository>;
    readonly crash?: () => Promise<SessionRepository>;
    readonly damage?: (session: string, seq: number) => Promise<void>;
    readonly dispose: () => Promise<void>;
}
type StoreNeed = "openSecond" | "crash" | "damage";
interface StoredSession extends SessionStore {
    readonly info: SessionInfo;
    readonly damage: readonly SessionDamage[];
}
type Stray<Class extends ProviderClass> = StrayStatic<Class> | StrayMember<InstanceType<Class>>;
type StrayMember<Instance> = {
    [Key in Exclude<keyof Instance, keyof ProviderInstance | `_${string}`>]: Instance[Key] extends (...input: never) => unknown ? Key : never;
}[Exclude<keyof Instance, keyof ProviderInstance | `_${string}`>];
type StrayStatic<Class> = {
    [Key in Exclude<keyof Class, keyof ProviderClass | "prototype" | `_${string}`>]: Class[Key] extends (...input: never) => unknown ? Key : never;
}[Exclude<keyof Class, keyof ProviderClass | "prototype" | `_${string}`>];
interface SummaryEntry extends EntryBase {
    readonly kind: "summary";
    readonly from: string;
    readonly message: Message;
    readonly details?: JsonValue;
}
interface SystemMessage extends MessageBase {
    readonly type: typeof MessageType.system;
}
const TOOL_CONTRACT = 1;
type TerminalEvent = DoneEvent | ErrorEvent;
interface TextBlock {
    readonly type: "text";
    readonly text: string;
}
interface TextDeltaEvent {
    readonly type: "text_delta";
    readonly contentIndex: number;
    readonly text: string;
}
interface TextEndEvent {
    readonly type: "text_end";
    readonly contentIndex: number;
    readonly text?: string;
}
interface TextStartEvent {
    readonly type: "text_start";
    readonly contentIndex: number;
}
interface ThinkingBlock {
    readonly type: "thinking";
    readonly text: string;
    readonly [extra: string]: unknown;
}
interface ThinkingDeltaEvent {
    readonly type: "thinking_delta";
    readonly contentIndex: number;
    readonly text: string;
}
interface ThinkingEndEvent {
    readonly type: "thinking_end";
    readonly contentIndex: number;
    readonly text?: string;
    readonly extra?: Readonly<Record<string, unknown>>;
}
interface ThinkingStartEvent {
    readonly type: "thinking_start";
    readonly contentIndex: number;
    readonly extra?: Readonly<Record<string, unknown>>;
}
class TokenCalibration {
    #private;
    get ratio(): number;
    observe(sample: TokenSample): boolean;
    apply(estimated: number): number;
}
interface TokenSample {
    readonly estimated: number;
    readonly measured: number;
}
interface ToolCallBlock {
    readonly type: "toolCall";
    readonly callId: string;
    readonly name: string;
    readonly arguments: unknown;
    readonly executed?: boolean;
    readonly [extra: string]: unknown;
}
interface ToolCallDeltaEvent {
    readonly type: "tool_call_delta";
    readonly contentIndex: number;
    readonly arguments: string;
}
interface ToolCallEndEvent {
    readonly type: "tool_call_end";
    readonly contentIndex: number;
    readonly arguments?: unknown;
    readonly extra?: Readonly<Record<string, unknown>>;
}
interface ToolCallResultEvent {
    readonly type: "tool_call_result";
    readonly contentIndex: number;
    readonly content: readonly Block[];
    readonly error?: boolean;
}
interface ToolCallStartEvent {
    readonly type: "tool_call_start";
    readonly contentIndex: number;
    readonly callId: string;
    readonly name: string;
    readonly executed?: boolean;
    readonly extra?: Readonly<Record<string, unknown>>;
}
interface ToolContent {
    readonly knownSkills: readonly ToolSkill[];
    readonly skills: () => Promise<{
        readonly skills: readonly ToolSkill[];
        readonly diagnostics: readonly {
            readonly message: string;
        }[];
    }>;
    readonly skill: (name: string) => Promise<ToolSkill & {
        readonly body: string;
    }>;
    readonly skillResources: (name: string) => Promise<readonly ToolSkillFile[]>;
    readonly skillResource: (name: string, path: string) => Promise<Uint8Array>;
    readonly toolsRefresh: () => Promise<ToolsRefresh>;
    readonly codeFolders: () => Promise<readonly string[]>;
    readonly hooksRefresh: () => Promise<readonly {
        readonly message: string;
    }[]>;
}
interface ToolContext {
    readonly env: ToolEnv;
    readonly signal: AbortSignal;
    readonly deadline: number;
    readonly call: {
        readonly callId: string;
        readonly name: string;
    };
    readonly agent: {
        readonly folder: string;
    };
    readonly safe: boolean;
    readonly canWrite?: boolean;
    readonly question: QuestionBridge | null;
    readonly execution?: Execution;
    readonly background?: BackgroundCommands;
    readonly changes?: FileChanges;
    readonly records?: ToolRecords;
    readonly workers?: Workers;
    readonly onData: (chunk: string) => void;
}
interface ToolDescription {
    readonly description: string;
    readonly inputSchema: JsonSchema | StandardSchema;
    readonly supplement?: (env: ToolEnv) => string;
    readonly safe?: boolean;
    readonly trusted?: boolean;
    readonly sandbox?: boolean;
    readonly interactive?: boolean;
    readonly secret?: boolean;
    readonly readOnly?: (args: never) => boolean;
    readonly writes?: (args: never) => readonly string[];
    readonly replay?: "never" | "safe";
    readonly onTimeout?: (args: never, context: ToolContext) => ToolResult | undefined | Promise<ToolResult | undefined>;
    readonly fn?: ToolFunction;
}
type ToolDescriptions = Readonly<Record<string, ToolDescription>>;
interface ToolDescriptor {
    readonly name: string;
    readonly description: string;
    readonly inputSchema: JsonSchema;
}
interface ToolEnv extends Partial<ToolContent> {
    readonly cwd: string;
    readonly settings: Readonly<Record<string, unknown>>;
}
type ToolFunction<Args = never> = (args: Args, context: ToolContext) => ToolResult | Promise<ToolResult>;
interface ToolModule {
    readonly toolDescription?: (env: ToolEnv) => ToolDescriptions;
    readonly describe?: (env: ToolEnv) => ToolDescriptions;
    readonly settingsSchema?: () => ToolSettings;
}
interface ToolPayload {
    readonly result: string | readonly Block[] | JsonValue;
    readonly system?: string | readonly string[];
    readonly display?: string | readonly Block[];
}
interface ToolRecords {
    readonly latest: (type: string) => Promise<JsonValue | undefined>;
    readonly append: (type: string, value: JsonValue) => Promise<void>;
    readonly holds: (callId: string) => Promise<boolean>;
}
type ToolResult = string | readonly Block[] | JsonValue | ToolPayload;
interface ToolResultInput {
    readonly callId: string;
    readonly content: MessageContent;
    readonly name?: string;
    readonly error?: boolean;
    readonly display?: readonly Block[];
}
interface ToolResultMessage extends MessageBase {
    readonly type: typeof MessageType.toolResult;
    readonly callId: string;
    readonly name?: string;
    readonly error?: boolean;
    readonly display?: readonly Block[];
}
type ToolSettings = Readonly<Record<string, {
    readonly default: unknown;
    readonly description: string;
}>>;
interface ToolSkill {
    readonly name: string;
    readonly description: string;
    readonly forModel: boolean;
}
interface ToolSkillFile {
    readonly path: string;
    readonly size: number;
}
interface ToolStarted {
    readonly type: "tool_started";
    readonly operation: string;
    readonly callId: string;
    readonly name: string;
    readonly replay: "never" | "safe";
}
interface ToolsRefresh {
    readonly tools: readonly string[];
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly problems: readonly string[];
}
interface Usage {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedInputTokens?: number;
    readonly source: "provider" | "estimate";
    readonly cost?: number;
}
type UsageCause = "assistant" | "compaction" | "summary" | "tool" | "adjustment";
interface UsageReported {
    readonly type: "usage";
    readonly cause: UsageCause;
    readonly usage: Usage;
    readonly model?: string;
}
interface UserMessage extends MessageBase {
    readonly type: typeof MessageType.user;
}
interface WireContext {
    readonly endpoint: string;
    readonly model: string;
    readonly url: string;
    readonly auth: AuthRecord | undefined;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly info: ModelMetadata;
    readonly thinking: string | undefined;
    readonly tools: readonly ToolDescriptor[];
    readonly format: JsonSchema | "json" | undefined;
    readonly signal: AbortSignal;
    readonly fetch: Fetch;
    readonly session: Map<string, unknown>;
    readonly estimateTokens: (context: readonly Message[]) => number;
    readonly reportContextUsage: (usage: {
        readonly used?: number;
        readonly total?: number;
    }) => void;
    readonly reportPlanUsage: (usage: PlanUsage) => void;
    readonly warn: (text: string) => void;
}
type WireMessage = readonly [
    headers: Readonly<Record<string, string>>,
    body: unknown
];
interface WireRequest {
    readonly url: string;
    readonly method?: "POST" | "GET";
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: unknown;
}
interface WireResponse {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: AsyncIterable<Uint8Array>;
}
interface Worker {
    readonly name: string;
    readonly description: string;
    readonly model: string;
    readonly state: "idle" | "busy";
    readonly pending: number;
    readonly folder: string;
}
interface WorkerModel {
    readonly model: string;
    readonly available: number;
    readonly maxActive: number;
}
interface WorkerRequest {
    readonly name: string;
    readonly model?: string;
    readonly thinking?: string;
    readonly description?: string;
    readonly safe?: boolean;
    readonly subfolder?: string;
}
interface Workers {
    readonly create: (workers: readonly WorkerRequest[], options: {
        readonly prompt?: string | undefined;
    }) => Promise<readonly Worker[]>;
    readonly message: (names: readonly string[], prompt: string) => Promise<readonly Worker[]>;
    readonly list: () => readonly Worker[];
    readonly models: () => readonly WorkerModel[];
    readonly commands: () => Promise<readonly string[]>;
    readonly close: (names: readonly string[]) => Promise<readonly ClosedWorker[]>;
}
interface WriteOptions {
    readonly mode?: number;
    readonly exclusive?: boolean;
}
function accept(value: unknown, name?: string): ProviderClass;
function acceptEntries(lastSeq: number, entries: readonly SessionEntry[], options?: AcceptOptions): readonly SessionEntry[];
function addUsage(a: Usage, b: Usage): Usage;
function blockHasContent(block: Block): boolean;
function callbacksToSink(callbacks: Callbacks): EventSink;
function canonicalJson(value: unknown): string;
function checkLimit(limit: number | undefined): void;
function checkLogQuery({ afterSeq, kinds, lane, limit }: LogQuery): void;
function checkSessionId(id: string): void;
function contentBinary({ bytes, filename, mimetype }: AttachmentInput): ImageBlock | BinaryBlock;
function contentText(message: {
    readonly content: readonly Block[];
}): string;
function createAssembler(): Assembler;
function createContentIndexer(): ContentIndexer;
function createMemoryRepository({ now, random, }?: MemoryRepositoryOptions): SessionRepository;
function createMemoryStore(entries?: readonly SessionEntry[]): SessionStore;
function createUuid7(now: Clock, random: Randomness): () => string;
function cutPositions(items: readonly ContextItem[]): readonly number[];
function defineProvider<Class extends ProviderClass>(provider: Class & DefinedProvider<Class>): Class;
function defineTool<Description extends ToolDescription>(description: Description): Description;
function entryText(entry: SessionEntry): string;
function estimateTokens(items: readonly ContextItem[], tools?: readonly unknown[]): number;
function eventCallbackName(type: ResponseEvent["type"]): string;
function foldText(text: string): string;
function forkEnd(entries: AsyncIterable<SessionEntry>, target: ForkTarget): Promise<ForkPlan>;
function forkedEntries(entries: AsyncIterable<SessionEntry>, { taken }: ForkPlan): AsyncGenerator<SessionEntry, void, undefined>;
function frozenCopy<Value>(value: Value, at: string): Value;
function isAshlarError(value: unknown): value is AshlarErrorShape;
function isAssistantMessage(value: unknown): value is AssistantMessage;
function isContextError(value: unknown): value is ContextError;
function isEntry(value: unknown): value is SessionEntry;
function isMessage(value: unknown): value is Message;
function isObject(value: unknown): value is Record<string, unknown>;
function isPathEntry(entry: SessionEntry): entry is PathEntry;
function isRecord(value: unknown): value is ContextRecord;
function isSessionError(value: unknown): value is SessionError;
function isToolResultMessage(value: unknown): value is ToolResultMessage;
function jsonEqual(a: unknown, b: unknown, depth?: number): boolean;
function messageAssistant(content: MessageContent, metadata?: MessageMetadata): AssistantMessage;
function messageErrorText(message: AssistantMessage): string | undefined;
function messageHasContent(message: Message): boolean;
function messageSystem(content: MessageContent, metadata?: MessageMetadata): SystemMessage;
function messageToolResult(input: ToolResultInput): ToolResultMessage;
function messageUser(content: MessageContent, metadata?: MessageMetadata): UserMessage;
function mimeDetect({ filename, bytes }: MimeInput): string;
function nearestName(wrong: string, names: Iterable<string>): string | undefined;
function nextToolRevision(): number;
function oncePerMessage<M extends Message, Result extends NonNullable<unknown>>(work: (message: M) => Result): (message: M) => Result;
function parseInput(text: string): ParsedInput;
function previewOf(entry: SessionEntry): string | undefined;
function redactAuth(value: unknown): unknown;
function reduceJournal(entries: Iterable<SessionEntry>): JournalState;
function requestView(items: readonly ContextItem[]): readonly Message[];
function resolveSessionId(idOrPrefix: string, ids: readonly string[]): string;
const responseEventSchema: JsonSchema;
function resumePlan({ items, open, replayOf }: ResumeInput): ResumePlan;
function runStoreCase(each: StoreConformanceCase, createFixture: () => Promise<StoreFixture>): Promise<StoreConformanceResult>;
function runStoreConformance(createFixture: () => Promise<StoreFixture>): Promise<readonly StoreConformanceResult[]>;
function selectEntries(entries: AsyncIterable<SessionEntry> | Iterable<SessionEntry>, query: LogQuery): AsyncGenerator<SessionEntry, void, undefined>;
const storeConformance: readonly StoreConformanceCase[];
function toolCallsOf(message: Message): readonly ToolCallBlock[];
function toolRevision(): number;
function usageFinalize(reported: ReportedUsage | undefined, estimated: {
    readonly inputTokens: number;
    readonly outputTokens: number;
}): Usage;
function usageSummary(usage: Usage): string;
function validateEvent(value: unknown, at?: string): ResponseEvent;
function validateMessage(value: unknown, at?: string): Message;
function validateMessages(value: unknown, at?: string): readonly ContextItem[];
function wellFormed(text: string): string;
function wellFormedJson<Value>(value: Value): Value;
