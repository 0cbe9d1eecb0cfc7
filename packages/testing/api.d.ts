// @ashlar/testing
//   Behaviour
//   CommandHost
//   ConnectionPart
//   ContentPart
//   Delivery
//   FakeCall
//   FakeScript
//   FakeServerOptions
//   Finish
//   ModelFacts
//   Part
//   Question
//   QuestionResult
//   RecordedRequest
//   RefusalReply
//   Reply
//   RunningLLM
//   RunningServer
//   SilentReply
//   StreamReply
//   Wire
//   behaviours
//   fakeLLMCommand
//   startFakeLLM
//   startFakeOllama
//   startFakeOpenAI

interface Behaviour {
    readonly name: string;
    readonly about: string;
    readonly facts?: ModelFacts;
    readonly reply: (question: Question) => Reply;
}
interface CommandHost {
    readonly stdout: (line: string) => void;
    readonly stderr: (line: string) => void;
    readonly stopped: Promise<void>;
}
type ConnectionPart = {
    readonly wait: number;
} | {
    readonly noise: true;
} | {
    readonly raw: string | Uint8Array;
} | {
    readonly fail: string;
} | {
    readonly hang: true;
} | {
    readonly cut: true;
} | {
    readonly reset: true;
};
type ContentPart = {
    readonly text: string;
} | {
    readonly thinking: string;
} | {
    readonly call: FakeCall;
};
interface Delivery {
    readonly chunkBytes?: number;
    readonly waitMs?: number;
}
interface FakeCall {
    readonly id?: string;
    readonly name: string;
    readonly arguments: unknown;
}
type FakeScript = (question: Question) => Reply | undefined;
interface FakeServerOptions {
    readonly port?: number;
    readonly host?: string;
    readonly script?: FakeScript;
    readonly models?: Readonly<Record<string, ModelFacts>>;
    readonly delivery?: Delivery;
    readonly apiKey?: string;
    readonly version?: string;
    readonly openAIPath?: string;
    readonly missing?: readonly string[];
    readonly silent?: readonly string[];
}
interface Finish {
    readonly reason?: "stop" | "length";
    readonly inputTokens?: number;
    readonly outputTokens?: number;
}
interface ModelFacts {
    readonly capabilities?: readonly string[];
    readonly contextLength?: number;
    readonly allocates?: number;
    readonly thinking?: {
        readonly values: readonly (string | boolean)[];
        readonly default: string | boolean;
    };
}
type Part = ContentPart | ConnectionPart | {
    readonly finish: Finish;
};
interface Question {
    readonly wire: Wire;
    readonly model: string;
    readonly prompt: string;
    readonly tools: readonly string[];
    readonly results: readonly QuestionResult[];
    readonly attempt: number;
    readonly body: Readonly<Record<string, unknown>>;
}
interface QuestionResult {
    readonly callId: string | undefined;
    readonly name: string | undefined;
    readonly text: string;
    readonly arguments: unknown;
}
interface RecordedRequest {
    readonly method: string;
    readonly path: string;
    readonly query: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
    readonly body: unknown;
    readonly wire: Wire | undefined;
    readonly at: number;
    readonly status: number | undefined;
    readonly closedEarly: boolean;
    readonly closed: Promise<void>;
}
interface RefusalReply {
    readonly status: number;
    readonly error: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly fields?: Readonly<Record<string, unknown>>;
}
type Reply = StreamReply | RefusalReply | SilentReply;
interface RunningLLM extends RunningServer {
    readonly ollamaUrl: string;
    readonly openAIUrl: string;
}
interface RunningServer {
    readonly url: string;
    readonly port: number;
    readonly requests: readonly RecordedRequest[];
    readonly asked: () => readonly RecordedRequest[];
    readonly close: () => Promise<void>;
}
interface SilentReply {
    readonly silent: true;
}
interface StreamReply {
    readonly parts: Iterable<Part>;
    readonly headers?: Readonly<Record<string, string>>;
    readonly delivery?: Delivery;
}
type Wire = "ollama" | "openai-chat" | "openai-responses";
const behaviours: readonly Behaviour[];
function fakeLLMCommand(args: readonly string[], host: CommandHost): Promise<number>;
function startFakeLLM(options?: FakeServerOptions): Promise<RunningLLM>;
function startFakeOllama(options?: FakeServerOptions): Promise<RunningServer>;
function startFakeOpenAI(options?: FakeServerOptions): Promise<RunningServer>;
