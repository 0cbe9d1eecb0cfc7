import type { Message } from "@ashlar/context";
import type { JsonSchema, WireContext } from "@ashlar/context/provider";
import type { UnknownRecord } from "../record.js";
import { type OllamaMessage, toMessages } from "./messages.js";
import type { OllamaSettings } from "./settings.js";
import { type OllamaTool, toTools } from "./tools.js";

/** The body of `/api/chat`. What has to be asked of the server first is added by `completeBody`. */
export interface ChatBody {
  readonly model: string;
  readonly messages: readonly OllamaMessage[];
  readonly stream: true;
  /** Too long a prompt is to be an error, not a shorter prompt. */
  readonly truncate: false;
  /** A full window is to end the answer, not to forget its beginning. */
  readonly shift: false;
  readonly tools?: readonly OllamaTool[];
  readonly format?: JsonSchema | "json";
  readonly keep_alive?: number | string;
  readonly options?: UnknownRecord;
}

/** Translates a request. Throws kind `malformed`. */
export function chatBody(context: readonly Message[], io: WireContext, settings: OllamaSettings): ChatBody {
  const tools = toTools(io.tools, io.warn);
  const { options, keepAlive } = settings;
  return {
    model: io.model,
    messages: withFormat(toMessages(context), io.format),
    stream: true,
    truncate: false,
    shift: false,
    ...(tools.length > 0 && { tools }),
    ...(io.format !== undefined && { format: io.format }),
    ...(keepAlive !== undefined && { keep_alive: keepAlive }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

/** The same request with the window and the thinking that were settled for the session. */
export function completeBody(
  body: UnknownRecord,
  numCtx: number,
  think: string | boolean | undefined,
): UnknownRecord {
  const options = typeof body.options === "object" ? body.options : {};
  return { ...body, options: { ...options, num_ctx: numCtx }, ...(think !== undefined && { think }) };
}

/** `format` constrains the sampling and tells the model nothing, so the schema also stands at the end of the prompt. */
function withFormat(
  messages: readonly OllamaMessage[],
  format: JsonSchema | "json" | undefined,
): readonly OllamaMessage[] {
  const last = messages.at(-1);
  if (format === undefined || last === undefined) return messages;
  const wish =
    format === "json"
      ? "Answer in JSON."
      : `Answer in JSON that fits this JSON Schema: ${JSON.stringify(format)}`;
  if (last.role !== "user") return [...messages, { role: "user", content: wish }];
  return [...messages.slice(0, -1), { ...last, content: `${last.content}\n\n${wish}` }];
}
