import type { Env } from "@ashlar/env";
import { ContextMeter } from "./context-meter.js";
import { LearnedWindow } from "./learned-window.js";
import { CallIds } from "./loop/call-ids.js";
import { linkModel, linkStream, type ModelLink } from "./model-link.js";
import type { StreamFunction } from "./stream-function.js";

/** What an agent has once it works with its model; another model begins another one. */
export interface ModelSession {
  readonly link: ModelLink;
  readonly ids: CallIds;
  readonly meter: ContextMeter;
  readonly window: LearnedWindow;
}

export function openModelSession(
  env: Env,
  selector: string,
  stream: StreamFunction | undefined,
): ModelSession {
  return {
    link: stream === undefined ? linkModel(env, selector) : linkStream(stream),
    ids: new CallIds(),
    meter: new ContextMeter(),
    window: new LearnedWindow(),
  };
}
