import type { Callbacks, ContextItem, JsonSchema, ResponseEvent, TerminalEvent } from "@ashlar/context";
import type { PlanUsage, ToolDescriptor } from "@ashlar/context/provider";
import type { Connection } from "@ashlar/env";
import { IOError } from "./io-error.js";
import type { ThinkingLevel } from "./thinking.js";
import type { Timeouts } from "./timeouts.js";

export type IOState = "idle" | "sending" | "reading" | "closed";

/** Tokens, as the provider measured them. */
export interface ContextUsage {
  readonly used?: number;
  readonly total?: number;
}

export interface IOOptions {
  readonly timeouts?: Timeouts;
}

export interface RequestOptions {
  readonly tools?: readonly ToolDescriptor[];
  readonly signal?: AbortSignal;
  readonly thinking?: ThinkingLevel;
  /** A JSON Schema the answer must fit, or `json`. */
  readonly format?: JsonSchema | "json";
  /** Merged over the connection's settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly timeouts?: Timeouts;
}

/** One model, one request at a time. */
export class IO {
  /** Qualified `endpoint/model`. */
  readonly selector: string;
  state: IOState = "idle";
  contextUsage: ContextUsage | undefined;
  planUsage: PlanUsage | undefined;

  constructor(connection: Connection, _options?: IOOptions) {
    this.selector = `${connection.endpoint}/${connection.model}`;
  }

  write(
    _context: string | readonly ContextItem[],
    _sink: ((event: ResponseEvent) => void) | Callbacks,
    _options?: RequestOptions,
  ): Promise<TerminalEvent> {
    return Promise.reject(new IOError("usage", "not wired yet", {}));
  }

  stream(_context: string | readonly ContextItem[], _options?: RequestOptions): AsyncIterable<ResponseEvent> {
    throw new IOError("usage", "not wired yet", {});
  }

  close(): Promise<void> {
    this.state = "closed";
    return Promise.resolve();
  }
}
