import type { BinaryBlock, Block, ImageBlock, ToolResultMessage } from "@ashlar/context";
import { OllamaError } from "../ollama-error.js";

export type Attachment = ImageBlock | BinaryBlock;

/** The images and files of a message, which all ride Ollama's `images`. Throws kind `malformed` for content that is no base64. */
export function attachmentsOf(content: readonly Block[], place: string): readonly Attachment[] {
  const attachments: Attachment[] = [];
  for (const [index, block] of content.entries()) {
    if (block.type !== "image" && block.type !== "binary") continue;
    checkBase64(block.content, `${place}.content[${index}]`);
    attachments.push(block);
  }
  return attachments;
}

/** Looks at the head only: enough to tell a data URL, a web address or a path from base64. */
function checkBase64(content: string, at: string): void {
  if (/^[A-Za-z0-9+/=\s]*$/.test(content.slice(0, 64))) return;
  throw new OllamaError(
    "malformed",
    `${at}.content: wanted base64 without a data: prefix; Ollama takes no URLs`,
    { at },
  );
}

/** A line a file, so that the model knows their names. Images without a name need none. */
export function fileNotes(attachments: readonly Attachment[]): string {
  return attachments
    .flatMap((attachment) => (attachment.type === "binary" ? [`[attached: ${described(attachment)}]`] : []))
    .join("\n");
}

/** The text of the user message that follows tool results and carries what they attached, in order. */
export function resultAttachmentsLabel(
  results: readonly ToolResultMessage[],
  names: readonly string[],
): string {
  const lines = results.flatMap((result, index) =>
    attachmentsIn(result).map((attachment) => `${names[index]} (${result.callId}): ${described(attachment)}`),
  );
  const numbered = lines.map((line, index) => `${index + 1}. ${line}`);
  return ["Attachments of the tool results above, in order:", ...numbered].join("\n");
}

function attachmentsIn(result: ToolResultMessage): readonly Attachment[] {
  return result.content.filter((block) => block.type === "image" || block.type === "binary");
}

function described(attachment: Attachment): string {
  const name = attachment.type === "binary" ? attachment.filename : undefined;
  const type = attachment.mimetype ?? (attachment.type === "image" ? "image" : "file");
  return name === undefined ? type : `${name}, ${type}`;
}
