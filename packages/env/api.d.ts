// @ashlar/env
//   Adds
//   Connection
//   ContentKind
//   ContentRoot
//   CoreEvents
//   DescribeRequest
//   DescribedModule
//   Diagnostic
//   EndpointInfo
//   Env
//   EnvClass
//   EnvError
//   EnvErrorDetails
//   EnvErrorKind
//   EnvOf
//   EnvOptions
//   EventKey
//   Extended
//   Extension
//   InstalledPackage
//   IsolatedCall
//   LayerName
//   LayerValue
//   LoginOptions
//   LoginResult
//   ModelInfo
//   PackageKind
//   Plugin
//   PromptCatalogue
//   PromptInfo
//   Setting
//   SettingDescription
//   SettingsNotice
//   SettingsNoticeDetails
//   SettingsProblem
//   SettingsSource
//   SettingsStore
//   SettingsStoreOptions
//   Skill
//   SkillCatalogue
//   SkillInfo
//   SkillResource
//   ToolInfo
//   ToolIsolation
//   ToolValidation
//   UserFolders
//   isEnvError
//   jsonSchemaOf
//   parseDuration
//   settingsDocument
//   settingsTemplate
// @ashlar/env/transport
//   Transport
//   TransportOptions
//   TransportRequest
//   TransportResponse
//   createTransport
// @ashlar/env/describe-module
//   describeModule
//   failureText
//   loadToolModule
// @ashlar/env/frontmatter
//   Frontmatter
//   FrontmatterProblem
//   HeaderValue
//   parseFrontmatter
// @ashlar/env/tool-worker


interface Adds {
    members?: object;
    events?: object;
    modelInfo?: object;
    settings?: object;
}
interface Connection {
    readonly endpoint: string;
    readonly model: string;
    readonly Provider: ProviderClass;
    readonly url: string;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly info: ModelMetadata;
    readonly transport: Transport;
    readonly auth: () => AuthRecord | undefined;
    readonly authReload?: () => Promise<boolean>;
    readonly authSet?: (auth: AuthRecord) => Promise<void>;
    readonly authReport?: (outcome: "accepted" | "refused") => void;
}
type ContentKind = "package" | "packages" | "user" | "project";
interface ContentRoot {
    readonly kind: ContentKind;
    readonly path: string;
    readonly trusted: boolean;
    readonly skills: readonly string[];
    readonly prompts: readonly string[];
    readonly hooks: readonly string[];
    readonly named?: true;
}
interface CoreEvents {
    MODELS_CHANGED: {
        readonly revision: number;
    };
}
interface DescribeRequest {
    readonly files: readonly string[];
    readonly cwd: string;
    readonly settings: Readonly<Record<string, unknown>>;
    readonly signal: AbortSignal;
}
interface DescribedModule {
    readonly file: string;
    readonly tools: readonly unknown[];
    readonly settings: unknown;
    readonly problems: readonly string[];
    readonly failure?: string;
}
interface Diagnostic {
    readonly kind: "settings" | "tool" | "provider" | "package" | "models" | "event" | "content";
    readonly message: string;
    readonly file?: string;
}
interface EndpointInfo {
    readonly name: string;
    readonly provider: string;
    readonly url: string;
    readonly dynamic: boolean;
    readonly disabled: boolean;
    readonly secret: boolean;
    readonly loginRequired: boolean;
    readonly hasCredentials: boolean;
}
const Env: Root;
type Env<I extends ModelInfo = ModelInfo> = Env$1<I>;
interface Env$1<I extends ModelInfo = ModelInfo> {
    readonly cwd: string;
    readonly name: string;
    readonly closed: boolean;
    readonly safe: Env$1<I>;
    readonly isSafe: boolean;
    readonly settings: Record<string, unknown>;
    readonly diagnostics: readonly Diagnostic[];
    readonly childEnvironment: Readonly<Record<string, string>>;
    settingsSchema(): Readonly<Record<string, SettingDescription>>;
    settingLayers(key: string): readonly LayerValue[];
    settingsFlush(): Promise<void>;
    hasLayer(layer: LayerName): boolean;
    readonly folders: UserFolders;
    packages(): readonly InstalledPackage[];
    models(secret?: boolean): ReadonlyMap<string, I>;
    readonly modelsReady: Promise<void>;
    endpoints(): ReadonlyMap<string, EndpointInfo>;
    connection(selector: string, options?: {
        readonly remember?: boolean;
    }): Connection;
    login(options: LoginOptions): Promise<LoginResult>;
    logout(name: string): Promise<{
        readonly name: string;
        readonly dynamic: boolean;
    }>;
    tools(safe?: boolean, selector?: string): ReadonlyMap<string, ToolInfo>;
    toolDescriptors(names?: readonly string[], selector?: string): readonly ToolDescriptor[];
    toolValidate(name: string, args: unknown): ToolValidation;
    toolCall(name: string, args: unknown, context: ToolContext): Promise<unknown>;
    toolsRefresh(): Promise<ToolsRefresh>;
    contentRoots(): readonly ContentRoot[];
    skills(): Promise<SkillCatalogue>;
    readonly knownSkills: readonly SkillInfo[];
    skill(name: string): Promise<Skill>;
    skillResources(name: string): Promise<readonly SkillResource[]>;
    skillResource(name: string, path: string): Promise<Uint8Array>;
    prompts(): Promise<PromptCatalogue>;
    promptExpand(text: string): Promise<string>;
    expandIncludes(text: string): Promise<string>;
    codeFolders(): Promise<readonly string[]>;
    hookFiles(): Promise<readonly string[]>;
    onEvent<P>(event: EventKey<P>, listener: (payload: P) => void): number;
    offEvent(handle: number): boolean;
    close(): Promise<void>;
}
interface EnvClass<I extends ModelInfo, M, E> {
    readonly EVENT: {
        readonly [K in keyof E]: EventKey<E[K]>;
    };
    readonly SettingsStore: typeof SettingsStore;
    readonly envs: ReadonlyMap<string, Env$1<I> & M>;
    open(dir: string, options?: EnvOptions): Promise<Env$1<I> & M>;
    [Symbol.hasInstance](value: unknown): value is Env$1<I> & M;
    extend<A extends Adds>(plugin: Plugin<A, Self<I, M, A>> & Taken<Part<A, "members">, Env$1<I> & M> & Taken<Part<A, "events">, E>): Extension<I, M, E, A>;
    join<I2 extends ModelInfo, M2, E2>(other: EnvClass<I2, M2, E2>): EnvClass<I & I2, M & M2, E & E2>;
}
class EnvError<Kind extends EnvErrorKind = EnvErrorKind> extends AshlarError<Kind, EnvErrorDetails[Kind]> {
    constructor(kind: Kind, message: string, details: EnvErrorDetails[Kind], options?: {
        readonly cause?: unknown;
    });
}
interface EnvErrorDetails {
    usage: {
        readonly argument?: string;
    };
    settings: {
        readonly file?: string;
        readonly key?: string;
        readonly line?: number;
        readonly column?: number;
    };
    auth: {
        readonly endpoint?: string;
        readonly status?: number;
    };
    network: {
        readonly url?: string;
        readonly code?: string;
    };
    provider: {
        readonly endpoint?: string;
        readonly status?: number;
    };
    cancelled: Record<string, never>;
    extend: {
        readonly name: string;
        readonly owners: readonly string[];
    };
    tool: {
        readonly name?: string;
        readonly file?: string;
    };
    refused: {
        readonly name: string;
        readonly reason: string;
    };
    content: {
        readonly name?: string;
        readonly file?: string;
    };
    closed: Record<string, never>;
}
type EnvErrorKind = keyof EnvErrorDetails;
type EnvOf<C> = C extends {
    open(dir: string): Promise<infer E>;
} ? E : never;
interface EnvOptions {
    readonly layers?: readonly Exclude<LayerName, "constructor">[];
    readonly settings?: Readonly<Record<string, unknown>>;
    readonly providers?: Readonly<Record<string, ProviderClass>>;
    readonly tools?: readonly (string | ToolDescriptions)[];
    readonly content?: readonly string[];
    readonly collect?: boolean;
    readonly credentials?: Readonly<Record<string, AuthRecord>>;
    readonly environment?: Readonly<Record<string, string | undefined>>;
}
type EventKey<P> = symbol & {
    readonly [carries]: P;
};
type Extended<C, A extends Adds> = C extends EnvClass<infer I, infer M, infer E> ? Extension<I, M, E, A> : never;
interface Extension<I extends ModelInfo, M, E, A extends Adds> {
    readonly Env: EnvClass<I & Part<A, "modelInfo">, M & Part<A, "members">, E & Part<A, "events">>;
    emit<K extends keyof Part<A, "events">>(env: Env$1, event: K, payload: Part<A, "events">[K]): void;
    settings(env: Env$1): Readonly<Part<A, "settings">>;
}
interface Frontmatter {
    readonly data: Readonly<Record<string, HeaderValue>> | undefined;
    readonly body: string;
    readonly problems: readonly FrontmatterProblem[];
}
interface FrontmatterProblem {
    readonly kind: "unclosed" | "size" | "syntax" | "repaired";
    readonly line: number;
    readonly message: string;
}
type FunctionNames<M> = {
    [K in keyof M]: M[K] extends (...args: never[]) => unknown ? K : never;
}[keyof M];
type HeaderValue = string | number | boolean | null | readonly HeaderValue[] | {
    readonly [key: string]: HeaderValue;
};
type If<M, Name extends string, V> = [
    keyof M
] extends [
    never
] ? unknown : {
    readonly [K in Name]: V;
};
interface InstalledPackage {
    readonly name: string;
    readonly folder: string;
    readonly version: string;
    readonly kinds: readonly PackageKind[];
    readonly contract: {
        readonly provider?: number;
        readonly tools?: number;
    };
    readonly layer: LayerName;
    readonly entry: string;
    readonly manifest: Readonly<Record<string, unknown>>;
}
interface IsolatedCall {
    readonly file: string;
    readonly name: string;
    readonly args: unknown;
    readonly context: ToolContext;
    readonly settings: Readonly<Record<string, unknown>>;
}
type LayerName = "package" | "packages" | "user" | "project" | "constructor";
interface LayerValue {
    readonly layer: LayerName;
    readonly value: unknown;
    readonly file?: string;
}
interface LoginOptions {
    readonly name: string;
    readonly url?: string;
    readonly provider?: string;
    readonly token?: string;
    readonly scope?: "user" | "project";
}
interface LoginResult {
    readonly name: string;
    readonly endpoint: EndpointInfo;
    readonly scope?: "user" | "project";
    readonly auth?: Pick<AuthRecord, "type">;
    readonly verified: Readonly<Record<string, unknown>>;
}
interface ModelInfo {
    readonly endpoint: string;
    readonly model: string;
    readonly label: string;
    readonly listed: boolean;
    readonly disabled: boolean;
    readonly secret: boolean;
    readonly loginRequired: boolean;
    readonly lastUsed: string | null;
    readonly projectLastUsed: string | null;
    readonly caps: {
        readonly contextWindow: number | null;
        readonly thinking: readonly string[];
        readonly tools: readonly string[];
        readonly streaming: boolean;
        readonly input?: readonly string[];
    };
}
type PackageKind = "provider" | "tools" | "content";
type Part<A extends Adds, K extends keyof Adds> = A extends {
    [P in K]: infer V extends object;
} ? V : unknown;
type Plugin<A extends Adds, S, M = Part<A, "members">> = {
    readonly name: string;
    readonly toolIsolation?: (env: S, readOnlyProcess: ToolIsolation) => ToolIsolation;
} & If<Pick<M, FunctionNames<M>>, "methods", Pick<M, FunctionNames<M>> & ThisType<S>> & If<Omit<M, FunctionNames<M>>, "getters", {
    readonly [K in Exclude<keyof M, FunctionNames<M>>]: (this: S) => M[K];
}> & If<Part<A, "events">, "events", ReadonlyArray<keyof Part<A, "events"> & string>> & If<Part<A, "modelInfo">, "modelInfo", (env: S, info: ModelInfo) => Part<A, "modelInfo">> & If<Part<A, "settings">, "settings", {
    readonly [K in keyof Part<A, "settings">]: Setting<Part<A, "settings">[K]>;
}>;
interface PromptCatalogue {
    readonly prompts: readonly PromptInfo[];
    readonly diagnostics: readonly Diagnostic[];
}
interface PromptInfo {
    readonly name: string;
    readonly description: string;
    readonly argumentHint: string;
    readonly file: string;
    readonly source: ContentKind;
}
type Root = EnvClass<ModelInfo, unknown, CoreEvents>;
type Self<I extends ModelInfo, M, A extends Adds> = Env$1<I & Part<A, "modelInfo">> & M & Part<A, "members">;
interface Setting<V> {
    readonly schema: object;
    readonly default: V;
    readonly description: string;
    readonly layers?: readonly LayerName[];
    readonly rules?: boolean;
}
interface SettingDescription {
    readonly schema: object;
    readonly default: unknown;
    readonly description: string;
    readonly layers?: readonly LayerName[];
    readonly rules?: boolean;
    readonly owner: string;
}
type SettingEntries = Readonly<Record<string, SettingDescription>>;
type SettingsNotice = "loaded" | "saved" | "updated";
interface SettingsNoticeDetails {
    readonly files: readonly string[];
}
interface SettingsProblem {
    readonly file: string;
    readonly reason: string;
    readonly line?: number;
    readonly column?: number;
}
interface SettingsSource {
    readonly source?: string;
    readonly data?: Readonly<Record<string, unknown>>;
    readonly at?: readonly string[];
    readonly catchAll?: boolean;
    readonly readOnly?: boolean;
}
class SettingsStore {
    #private;
    constructor({ sources, parent }?: SettingsStoreOptions);
    attach(source: SettingsSource): void;
    read(path: readonly string[]): unknown;
    write(path: readonly string[], value: unknown): boolean;
    poll(): Promise<void>;
    save(options?: {
        readonly parent?: boolean;
    }): Promise<void>;
    close(): Promise<void>;
    get problems(): readonly SettingsProblem[];
    onNotice(notice: SettingsNotice, listener: (details: SettingsNoticeDetails) => void): number;
    offNotice(handle: number): boolean;
}
interface SettingsStoreOptions {
    readonly sources?: readonly SettingsSource[];
    readonly parent?: SettingsStore;
}
interface Skill extends SkillInfo {
    readonly body: string;
    readonly metadata: Readonly<Record<string, unknown>>;
}
interface SkillCatalogue {
    readonly skills: readonly SkillInfo[];
    readonly diagnostics: readonly Diagnostic[];
}
interface SkillInfo {
    readonly name: string;
    readonly description: string;
    readonly file: string;
    readonly source: ContentKind;
    readonly forModel: boolean;
}
interface SkillResource {
    readonly path: string;
    readonly size: number;
}
type Taken<New, Old> = [
    keyof New & keyof Old
] extends [
    never
] ? unknown : {
    [K in keyof New & keyof Old & string as `'${K}' is taken: a plugin extends Env, it never overrides`]: never;
};
interface ToolEntry {
    readonly info: ToolInfo;
    readonly run: (args: unknown, context: ToolContext) => Promise<unknown>;
}
interface ToolInfo {
    readonly name: string;
    readonly description: string;
    readonly schema: JsonSchema;
    readonly safe: boolean;
    readonly trusted: boolean;
    readonly sandbox: boolean;
    readonly secret: boolean;
    readonly interactive: boolean;
    readonly replay: "never" | "safe";
    readonly hostRoot: boolean;
    readonly provider?: string;
    readonly file?: string;
    readonly supplement?: (env: ToolEnv) => string;
    readonly owner: string;
    readonly refusal?: string;
    readonly readOnly?: (args: unknown) => boolean;
    readonly writes?: (args: unknown) => readonly string[];
    readonly onTimeout?: (args: unknown, context: ToolContext) => ToolResult | undefined | Promise<ToolResult | undefined>;
}
interface ToolIsolation {
    readonly describe: (request: DescribeRequest) => Promise<readonly DescribedModule[]>;
    readonly call: (request: IsolatedCall) => Promise<unknown>;
}
interface ToolSource {
    readonly label: string;
    readonly entries: readonly ToolEntry[];
    readonly settings: ToolSettings;
    readonly problems: readonly string[];
    readonly failed?: boolean;
}
type ToolValidation = {
    readonly ok: true;
    readonly args: unknown;
    readonly notes: readonly string[];
} | {
    readonly ok: false;
    readonly problems: readonly string[];
};
interface Transport {
    readonly request: (request: TransportRequest) => Promise<TransportResponse>;
    readonly fetch: Fetch;
    readonly close: () => Promise<void>;
}
interface TransportOptions {
    readonly environment?: Readonly<Record<string, string | undefined>>;
    readonly maxBodyBytes?: number;
}
interface TransportRequest {
    readonly url: string;
    readonly method: "GET" | "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly signal?: AbortSignal;
    readonly connectTimeoutMs?: number;
}
interface TransportResponse {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: AsyncIterable<Uint8Array>;
}
interface UserFolders {
    readonly config: string;
    readonly data: string;
    readonly state: string;
    readonly cache: string;
}
const carries: unique symbol;
function createTransport(options?: TransportOptions): Transport;
function describeModule(file: string, env: ToolEnv): Promise<DescribedModule>;
function failureText(cause: unknown): string;
function isEnvError(value: unknown): value is EnvError;
function jsonSchemaOf(schema: JsonSchema | StandardSchema): JsonSchema;
function loadToolModule(file: string, env: ToolEnv): Promise<ToolSource>;
function parseDuration(value: unknown, key?: string): number;
function parseFrontmatter(text: string): Frontmatter;
function settingsDocument(schema: SettingEntries): string;
function settingsTemplate(schema: SettingEntries): string;
