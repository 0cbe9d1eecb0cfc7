import { isObject, type ThinkingBlock } from "@ashlar/context";

/** Member of a thinking block that holds what the Responses API wants back. */
const EXTRA = "openaiResponses";

type Fields = Readonly<Record<string, unknown>>;

/** The extras of a thinking block made from a finished reasoning item. Sealed content opens only where it was sealed. */
export function reasoningExtra(item: Fields, endpoint: string): Fields {
  const sealed = item.encrypted_content;
  const id = typeof item.id === "string" ? { id: item.id } : {};
  if (typeof sealed === "string" && sealed !== "")
    return { [EXTRA]: { endpoint, ...id, encryptedContent: sealed } };
  const open = Array.isArray(item.content) && item.content.length > 0;
  return open ? { [EXTRA]: { endpoint, ...id, open: true } } : {};
}

/** The input item that a thinking block came from; undefined when the endpoint could not read it back. */
export function reasoningItem(block: ThinkingBlock, endpoint: string): Fields | undefined {
  const extra = block[EXTRA];
  if (!isObject(extra) || extra.endpoint !== endpoint) return undefined;
  const id = extra.id === undefined ? {} : { id: extra.id };
  if (typeof extra.encryptedContent === "string") {
    const summary = block.text === "" ? [] : [{ type: "summary_text", text: block.text }];
    return { type: "reasoning", ...id, summary, encrypted_content: extra.encryptedContent };
  }
  if (extra.open !== true || block.text === "") return undefined;
  return { type: "reasoning", ...id, summary: [], content: [{ type: "reasoning_text", text: block.text }] };
}
