import { isBlockList, isPayload } from "./result-problem.js";

export interface ResultSize {
  /** Of all texts, those for viewers included. */
  readonly characters: number;
  /** Of images and binaries. */
  readonly attachmentBytes: number;
}

/** How large a result without a problem is. */
export function resultSize(value: unknown): ResultSize {
  const parts = isPayload(value) ? [value.result, value.system ?? "", value.display ?? ""] : [value];
  return parts.map(sizeOf).reduce((sum, size) => ({
    characters: sum.characters + size.characters,
    attachmentBytes: sum.attachmentBytes + size.attachmentBytes,
  }));
}

function sizeOf(value: unknown): ResultSize {
  if (typeof value === "string") return { characters: value.length, attachmentBytes: 0 };
  if (!isBlockList(value)) return { characters: JSON.stringify(value).length, attachmentBytes: 0 };
  const lengthOf = (field: string): number =>
    value.reduce((sum, block) => sum + (typeof block[field] === "string" ? block[field].length : 0), 0);
  return { characters: lengthOf("text"), attachmentBytes: Math.floor(lengthOf("content") * 0.75) };
}
