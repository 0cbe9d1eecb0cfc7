import type {
  ClassifiedError,
  Message,
  ProviderClass,
  ResponseEvent,
  SendBase,
  WireContext,
  WireMessage,
  WireResponse,
} from "@ashlar/context/provider";
import { type CompleteInstance, completeProvider } from "../complete-provider.js";

/** One frame as the provider got it, and the events it made of it. */
export interface SpiedFrame {
  readonly frame: unknown;
  readonly events: readonly ResponseEvent[];
}

/** What passed between a provider and its host during one request. */
export interface Spied {
  readonly url: string;
  readonly io: WireContext;
  readonly frames: SpiedFrame[];
}

/** A class that does what `Provider` does, completed by its wire, and hands each request to `onRequest`. */
export function spyOn(Provider: ProviderClass, onRequest: (spied: Spied) => void): ProviderClass {
  const complete = completeProvider(Provider);
  return class Spy {
    static readonly contract = Provider.contract;
    static readonly provider = Provider.provider;
    readonly #inner: CompleteInstance;
    readonly #spied: Spied;
    readonly read?: () => Promise<unknown>;

    constructor(url: string, io: WireContext) {
      this.#inner = complete.create(url, io);
      this.#spied = { url, io, frames: [] };
      onRequest(this.#spied);
      const inner = this.#inner;
      if (inner.read !== undefined) this.read = () => inner.read?.() ?? Promise.resolve(null);
    }

    context2msg(context: readonly Message[], io: WireContext): WireMessage {
      return this.#inner.context2msg(context, io);
    }

    send(message: WireMessage, base: SendBase): Promise<WireResponse | undefined> {
      return this.#inner.send(message, base);
    }

    msg2events(frame: unknown, state: Record<string, unknown>, io: WireContext): readonly ResponseEvent[] {
      const events = this.#inner.msg2events(frame, state, io);
      this.#spied.frames.push({ frame, events });
      return events;
    }

    async close(): Promise<void> {
      await this.#inner.close?.();
    }

    reportPlanUsage(headers: Readonly<Record<string, string>>, io: WireContext): void {
      this.#inner.reportPlanUsage?.(headers, io);
    }

    classifyError(error: unknown, base: (error: unknown) => ClassifiedError): ClassifiedError {
      return this.#inner.classifyError?.(error, base) ?? base(error);
    }

    depletionError(classified: ClassifiedError, base: (classified: ClassifiedError) => boolean): boolean {
      return this.#inner.depletionError?.(classified, base) ?? base(classified);
    }
  };
}
