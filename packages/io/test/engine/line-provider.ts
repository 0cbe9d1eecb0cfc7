import type { DoneReason, ResponseEvent } from "@ashlar/context";
import {
  defineProvider,
  type Message,
  type ProviderMetadata,
  type SendBase,
  type WireContext,
  type WireMessage,
} from "@ashlar/context/provider";

interface Line {
  readonly text?: string;
  readonly done?: DoneReason;
  readonly error?: string;
  readonly status?: number;
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number };
  /** Events as they are, for what the connector itself does wrong. */
  readonly events?: readonly ResponseEvent[];
}

/** A small provider of our own wire: one line is `{ text }`, `{ done }`, `{ error }` or `{ events }`. */
export const LineProvider = defineProvider(
  class LineProvider {
    static readonly contract = 1;
    static readonly provider: ProviderMetadata = {
      label: "Lines",
      capabilities: { streaming: true, thinking: ["off", "low", "high"], tools: true },
      framing: "ndjson",
    };
    readonly #io: WireContext;

    constructor(_url: string, io: WireContext) {
      this.#io = io;
    }

    context2msg(context: readonly Message[], io: WireContext): WireMessage {
      const headers = io.auth?.token === undefined ? {} : { authorization: `Bearer ${io.auth.token}` };
      return [headers, { model: io.model, thinking: io.thinking, settings: io.settings, context }];
    }

    send([headers, body]: WireMessage, base: SendBase) {
      return base({ url: `${this.#io.url}/lines`, headers, body });
    }

    msg2events(frame: unknown, state: Record<string, unknown>): readonly ResponseEvent[] {
      if (frame === null) return [];
      // The test's own server writes these lines.
      const { text, done, error, status, usage, events } = frame as Line;
      if (events !== undefined) return events;
      if (error !== undefined) return [{ type: "error", error, ...(status !== undefined && { status }) }];
      const out: ResponseEvent[] = [];
      if (text !== undefined) {
        if (state.open !== true) out.push({ type: "text_start", contentIndex: 0 });
        state.open = true;
        out.push({ type: "text_delta", contentIndex: 0, text });
      }
      if (done !== undefined) {
        if (state.open === true) out.push({ type: "text_end", contentIndex: 0 });
        out.push({
          type: "done",
          doneReason: done,
          ...(usage && { usage: { ...usage, source: "provider" } }),
        });
      }
      return out;
    }
  },
);

export const line = (value: Line): string => `${JSON.stringify(value)}\n`;
