import type { Question, QuestionResult, Wire } from "./question.js";

export interface HeardCall {
  /** Undefined where the wire lets it be. */
  readonly id: string | undefined;
  readonly name: string;
  readonly arguments: unknown;
}

/** One message of a request, in the words of no wire. */
export interface HeardMessage {
  /** Where it stood, such as `messages[2]`. */
  readonly place: string;
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly text: string;
  readonly calls: readonly HeardCall[];
  /** For role `tool`: which call it answers. */
  readonly callId?: string | undefined;
  readonly name?: string | undefined;
}

/** A request that a strict server answers with 400. */
export class BadRequest extends Error {}

/** Says what was wanted at a place and what stood there. */
export function refuse(place: string, wanted: string, found: unknown): never {
  const shown = found === undefined ? "nothing" : JSON.stringify(found).slice(0, 120);
  throw new BadRequest(`${place}: wanted ${wanted}, found ${shown}`);
}

/** Refuses assistant messages that say nothing, repeated call ids, calls without results and results without calls. */
export function checkExchange(messages: readonly HeardMessage[]): void {
  let open: HeardCall[] = [];
  for (const message of messages) {
    if (message.role === "tool") {
      open = closeCall(open, message);
      continue;
    }
    refuseOpenCalls(open, message.place);
    if (message.role !== "assistant") continue;
    if (message.text === "" && message.calls.length === 0) {
      throw new BadRequest(`${message.place}: an assistant message needs text or tool calls`);
    }
    checkIds(message);
    open = [...message.calls];
  }
  refuseOpenCalls(open, "the end");
}

function closeCall(open: readonly HeardCall[], message: HeardMessage): HeardCall[] {
  const index = open.findIndex((call) => isAnswer(message, call));
  if (index < 0) {
    throw new BadRequest(
      `${message.place}: a tool result without its call directly before it (id ${message.callId})`,
    );
  }
  return open.filter((_, at) => at !== index);
}

function isAnswer(message: HeardMessage, call: HeardCall): boolean {
  if (message.callId !== undefined && call.id !== undefined) return message.callId === call.id;
  return message.name === undefined || message.name === call.name;
}

function refuseOpenCalls(open: readonly HeardCall[], place: string): void {
  const [call] = open;
  if (call === undefined) return;
  throw new BadRequest(`${place}: the tool call ${call.id ?? call.name} has no result directly after it`);
}

function checkIds({ calls, place }: HeardMessage): void {
  const ids = calls.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new BadRequest(`${place}: the tool-call id ${repeated} is repeated`);
}

export interface Heard {
  readonly wire: Wire;
  readonly model: string;
  readonly messages: readonly HeardMessage[];
  readonly tools: readonly string[];
  readonly body: Readonly<Record<string, unknown>>;
}

/** What a behaviour needs to know of a request. */
export function questionOf({ wire, model, messages, tools, body }: Heard, attempt: number): Question {
  const last = messages.findLastIndex(({ role }) => role === "user");
  const calls = messages.flatMap((message) => message.calls);
  const results = messages.slice(last + 1).flatMap((message): QuestionResult[] => {
    if (message.role !== "tool") return [];
    const call = calls.findLast(({ id }) => id !== undefined && id === message.callId);
    return [
      {
        callId: message.callId,
        name: message.name ?? call?.name,
        text: message.text,
        arguments: call?.arguments,
      },
    ];
  });
  return { wire, model, prompt: messages[last]?.text ?? "", tools, results, attempt, body };
}
