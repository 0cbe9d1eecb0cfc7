import type { ToolCallBlock } from "@ashlar/context";
import type { AgentHooks } from "../hooks/agent-hooks.js";
import type { ToolResultEvent } from "../loop/stream-event.js";
import { runBatch } from "./batch.js";
import type { ToolHost } from "./tool-host.js";

export interface HandHost {
  readonly signal: AbortSignal;
  readonly store: ToolHost["store"];
  readonly addSystem: ToolHost["addSystem"];
  readonly interceptors: ToolHost["interceptors"];
}

/** Runs one call that no model asked for, on the way that all calls take. Its result joins no context. */
export async function callByHand(
  block: ToolCallBlock,
  hooks: AgentHooks,
  hostOf: (own: HandHost) => ToolHost,
): Promise<ToolResultEvent> {
  const { signal } = new AbortController();
  let result: ToolResultEvent | undefined;
  const host = hostOf({
    signal,
    interceptors: await hooks.chain(signal),
    store: (_message, event) => {
      result = event;
    },
    addSystem: () => undefined,
  });
  await runBatch([block], host);
  if (result === undefined) throw new TypeError(`${block.name} gave no result`);
  return result;
}
