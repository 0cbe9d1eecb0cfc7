import type { ChangeRecord } from "./change-record.js";

/** Why a recorded change cannot be undone, or undefined. */
export function lossOf(record: ChangeRecord): string | undefined {
  if (record.undone !== undefined) return "it is undone already";
  if (record.lost !== undefined) return record.lost;
  if (record.after === undefined) return "the call did not end, so what it left is not known";
  return undefined;
}

/** The changes of one call; `later` are the calls after it whose changes stay. */
export interface UndoChoice {
  readonly records: readonly ChangeRecord[];
  readonly later: readonly ChangeRecord[];
}

/**
 * What to undo: the change or call of this id, or without one the last call that can be undone. A text says why there
 * is nothing. `records` are oldest first.
 */
export function chooseUndo(records: readonly ChangeRecord[], id: string | undefined): UndoChoice | string {
  const last =
    id === undefined
      ? records.findLast((record) => lossOf(record) === undefined)
      : (records.find((record) => record.id === id) ?? records.findLast((record) => record.callId === id));
  if (last === undefined) {
    if (id !== undefined) return `There is no change and no call ${JSON.stringify(id)} on record.`;
    const untracked = records.findLast(({ undone }) => undone === undefined);
    return untracked === undefined
      ? "There is nothing to undo."
      : `There is nothing to undo: ${nameOf(untracked)} cannot be undone, because ${lossOf(untracked)}.`;
  }
  const chosen = last.id === id ? [last] : records.filter((record) => isSameCall(record, last));
  const lost = chosen.find((record) => lossOf(record) !== undefined);
  if (lost !== undefined) return `${nameOf(lost)} cannot be undone: ${lossOf(lost)}.`;
  const place = records.indexOf(last);
  const later = records
    .slice(place + 1)
    .filter((record) => record.undone === undefined && !isSameCall(record, last));
  return { records: chosen, later };
}

/** `write of src/a.ts (call c1)`, or `bash (call c2)`. */
export function nameOf({ tool, callId, path }: ChangeRecord): string {
  return path === null ? `${tool} (call ${callId})` : `${tool} of ${path} (call ${callId})`;
}

function isSameCall(record: ChangeRecord, other: ChangeRecord): boolean {
  return record.callId === other.callId && record.at === other.at && record.tool === other.tool;
}
