import type { Encoder } from "./encoder.js";
import type { Heard } from "./heard.js";
import type { RefusalReply } from "./reply.js";

/** One way to ask for an answer. */
export interface WireRoute {
  /** Reads the body; throws `BadRequest` for what the wire does not allow. */
  readonly hear: (body: Readonly<Record<string, unknown>>) => Heard;
  readonly encoder: (heard: Heard, now: Date) => Encoder;
  /** Does a request without `stream` get one. */
  readonly streamsByDefault: boolean;
  readonly refusal: (reply: RefusalReply) => unknown;
}
