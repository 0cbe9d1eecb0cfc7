import { isMessage, isRecord } from "@ashlar/context";

/**
 * Turns the values of a version 1 file, in order, into entries: each message or record is one entry on a straight
 * branch. Ids are made from the position, so that reading twice gives the same.
 */
export function createV1Reader(): (value: unknown) => readonly unknown[] {
  let seq = 0;
  let parent: string | null = null;
  return (value) => {
    if (!isMessage(value) && !isRecord(value)) return [value];
    seq += 1;
    const id = `v1-${String(seq).padStart(9, "0")}`;
    const stamp = { id, seq, parent, at: 0 };
    parent = id;
    return [
      isMessage(value)
        ? { ...stamp, kind: "message", message: value, merge: false }
        : { ...stamp, kind: "record", record: value },
    ];
  };
}
