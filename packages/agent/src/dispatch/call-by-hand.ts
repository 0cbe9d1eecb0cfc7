import type { ToolCallBlock } from "@ashlar/context";
import type { ToolResultEvent } from "../loop/stream-event.js";
import { runBatch } from "./batch.js";
import type { ToolHost } from "./tool-host.js";

export interface HandHost {
  readonly signal: AbortSignal;
  readonly store: ToolHost["store"];
  readonly addSystem: ToolHost["addSystem"];
}

/** Runs one call that no model asked for, on the way that all calls take. Its result joins no context. */
export async function callByHand(
  block: ToolCallBlock,
  hostOf: (own: HandHost) => ToolHost,
  signal: AbortSignal = new AbortController().signal,
): Promise<ToolResultEvent> {
  let result: ToolResultEvent | undefined;
  const host = hostOf({
    signal,
    store: (_message, event) => {
      result = event;
    },
    addSystem: () => undefined,
  });
  await runBatch([block], host);
  if (result === undefined) throw new TypeError(`${block.name} gave no result`);
  return result;
}
