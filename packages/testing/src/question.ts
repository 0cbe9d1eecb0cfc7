export type Wire = "ollama" | "openai-chat" | "openai-responses";

export interface QuestionResult {
  readonly callId: string | undefined;
  readonly name: string | undefined;
  readonly text: string;
  /** Arguments of the call it answers. */
  readonly arguments: unknown;
}

/** A request for an answer, in the words of no wire. */
export interface Question {
  readonly wire: Wire;
  /** Without `:latest`. */
  readonly model: string;
  /** Text of the last user message. */
  readonly prompt: string;
  /** Names of the tools on offer. */
  readonly tools: readonly string[];
  /** Tool results since the last user message, in order. */
  readonly results: readonly QuestionResult[];
  /** How many requests for this model came before. */
  readonly attempt: number;
  /** The parsed request body. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** Roughly what the messages and tools cost: a quarter of their bytes. */
export function estimatedTokens(body: Readonly<Record<string, unknown>>): number {
  const counted = { messages: body.messages, input: body.input, tools: body.tools };
  return Math.ceil(Buffer.byteLength(JSON.stringify(counted)) / 4);
}
