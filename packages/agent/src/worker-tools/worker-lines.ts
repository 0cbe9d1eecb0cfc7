import type { JsonValue, Worker } from "@ashlar/context/tool";

/** Workers, as a model reads of them. */
export function workerLines(workers: readonly Worker[]): readonly JsonValue[] {
  return workers.map(({ name, description, model, state, pending, folder }) => ({
    name,
    state,
    model,
    folder,
    ...(description !== "" && { description }),
    ...(pending > 0 && { pending }),
  }));
}
