import type { Env } from "@ashlar/env";
import { ContextMeter } from "./context-meter.js";
import { CallIds } from "./loop/call-ids.js";
import { linkModel, linkStream, type ModelLink } from "./model-link.js";
import type { StreamFunction } from "./stream-function.js";

/** What an agent has once it works with its model; another model begins another session. */
export interface AgentSession {
  readonly link: ModelLink;
  readonly ids: CallIds;
  readonly meter: ContextMeter;
}

export function openSession(env: Env, selector: string, stream: StreamFunction | undefined): AgentSession {
  return {
    link: stream === undefined ? linkModel(env, selector) : linkStream(stream),
    ids: new CallIds(),
    meter: new ContextMeter(),
  };
}
