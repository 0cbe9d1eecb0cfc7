import {
  type CatalogueQuery,
  type Message,
  MessageType,
  type ModelMetadata,
  type ProviderMetadata,
  type ResponseEvent,
  type SendBase,
  type WireContext,
  type WireMessage,
  type WireResponse,
} from "@ashlar/context/provider";

type Fields = Readonly<Record<string, unknown>>;

/** What lives for one request. */
export interface RelayState {
  next?: number;
  open?: { readonly kind: "text" | "thinking"; readonly contentIndex: number } | undefined;
  calls?: Map<string, number>;
  ended?: boolean;
}

/**
 * A wire made up for these tests: NDJSON frames `{think}`, `{say}`, `{call: {id, name?, input}}`,
 * `{running: {id, name, input}}`, `{ran: {id, output}}`, `{error}`, `{end, in?, out?, cached?}`.
 * It does everything right; the broken providers each change one thing.
 */
export class Relay {
  static readonly contract: number = 1;
  static readonly provider: ProviderMetadata = {
    label: "Relay",
    capabilities: { streaming: true, thinking: ["off", "on"], tools: true },
    framing: "ndjson",
  };

  static async models({
    url,
    fetch,
    signal,
  }: CatalogueQuery): Promise<Readonly<Record<string, ModelMetadata>>> {
    const response = await fetch(`${url}/models`, { signal });
    const names = fieldsOf(await response.json()).names;
    return Object.fromEntries((Array.isArray(names) ? names : []).map((name) => [String(name), {}]));
  }

  protected readonly _url: string;
  protected readonly _io: WireContext;

  constructor(url: string, io: WireContext) {
    this._url = url;
    this._io = io;
  }

  context2msg(context: readonly Message[], io: WireContext): WireMessage {
    const turns = context.map((message) => this._turn(message));
    return [{ authorization: `Key ${io.auth?.token ?? ""}` }, { model: io.model, turns, tools: io.tools }];
  }

  send([headers, body]: WireMessage, base: SendBase): Promise<WireResponse | undefined> {
    return base({ url: `${this._url}/chat`, headers, body });
  }

  msg2events(frame: unknown, state: RelayState, _io: WireContext): readonly ResponseEvent[] {
    if (state.ended === true || frame === null) return [];
    const events: ResponseEvent[] = [];
    this._take(fieldsOf(frame), state, events);
    return events;
  }

  protected _turn(message: Message): Fields {
    if (message.type === MessageType.toolResult) {
      return { who: "tool", call: message.callId, text: this._text(message) };
    }
    const calls = message.content.flatMap((block) =>
      block.type === "toolCall" ? [{ id: block.callId, name: block.name, input: block.arguments }] : [],
    );
    const who =
      message.type === MessageType.system ? "system" : message.type === MessageType.user ? "user" : "model";
    return { who, text: this._text(message), ...(calls.length > 0 && { calls }) };
  }

  protected _text({ content }: Message): string {
    const texts = content.flatMap((block) => (block.type === "text" ? [block.text] : []));
    const other = content.find(({ type }) => type === "image" || type === "binary");
    if (other !== undefined)
      throw Object.assign(new Error(`Relay takes no ${other.type} blocks`), { kind: "malformed" });
    return texts.join("\n\n");
  }

  protected _take(frame: Fields, state: RelayState, events: ResponseEvent[]): void {
    if (typeof frame.think === "string") this._prose("thinking", frame.think, state, events);
    if (typeof frame.say === "string") this._prose("text", frame.say, state, events);
    if (frame.call !== undefined) this._call(fieldsOf(frame.call), state, events);
    if (frame.running !== undefined) this._running(fieldsOf(frame.running), state, events);
    if (frame.ran !== undefined) this._ran(fieldsOf(frame.ran), state, events);
    if (frame.error !== undefined)
      this._end({ type: "error", error: String(frame.error), kind: "provider" }, state, events);
    if (frame.end !== undefined) this._done(frame, state, events);
  }

  protected _prose(
    kind: "text" | "thinking",
    text: string,
    state: RelayState,
    events: ResponseEvent[],
  ): void {
    if (text === "") return;
    if (state.open?.kind !== kind) {
      this._close(state, events);
      state.open = { kind, contentIndex: this._index(state) };
      events.push({ type: `${kind}_start`, contentIndex: state.open.contentIndex });
    }
    events.push({ type: `${kind}_delta`, contentIndex: state.open.contentIndex, text });
  }

  protected _call({ id, name, input }: Fields, state: RelayState, events: ResponseEvent[]): void {
    this._close(state, events);
    const contentIndex = this._open(String(id), { name: String(name ?? "") }, state, events);
    if (input !== undefined && input !== "")
      events.push({ type: "tool_call_delta", contentIndex, arguments: String(input) });
  }

  protected _running({ id, name, input }: Fields, state: RelayState, events: ResponseEvent[]): void {
    this._close(state, events);
    const contentIndex = this._open(String(id), { name: String(name), executed: true }, state, events);
    events.push({ type: "tool_call_end", contentIndex, arguments: input });
  }

  protected _ran({ id, output }: Fields, state: RelayState, events: ResponseEvent[]): void {
    const contentIndex = state.calls?.get(String(id));
    if (contentIndex === undefined) return;
    state.calls?.delete(String(id));
    events.push({
      type: "tool_call_result",
      contentIndex,
      content: [{ type: "text", text: String(output) }],
    });
  }

  protected _open(
    callId: string,
    call: { readonly name: string; readonly executed?: boolean },
    state: RelayState,
    events: ResponseEvent[],
  ): number {
    state.calls ??= new Map();
    const known = state.calls.get(callId);
    if (known !== undefined) return known;
    const contentIndex = this._index(state);
    state.calls.set(callId, contentIndex);
    events.push({ type: "tool_call_start", contentIndex, callId, ...call });
    return contentIndex;
  }

  protected _done({ end, in: input, out, cached }: Fields, state: RelayState, events: ResponseEvent[]): void {
    this._close(state, events);
    for (const contentIndex of state.calls?.values() ?? [])
      events.push({ type: "tool_call_end", contentIndex });
    const counts = { inputTokens: Number(input), outputTokens: Number(out), source: "provider" } as const;
    const usage = cached === undefined ? counts : { ...counts, cachedInputTokens: Number(cached) };
    const doneReason = end === "length" ? "length" : "stop";
    this._end({ type: "done", doneReason, ...(input !== undefined && { usage }) }, state, events);
  }

  protected _end(event: ResponseEvent, state: RelayState, events: ResponseEvent[]): void {
    state.ended = true;
    events.push(event);
  }

  protected _close(state: RelayState, events: ResponseEvent[]): void {
    if (state.open !== undefined)
      events.push({ type: `${state.open.kind}_end`, contentIndex: state.open.contentIndex });
    state.open = undefined;
  }

  protected _index(state: RelayState): number {
    state.next = (state.next ?? 0) + 1;
    return state.next - 1;
  }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
