import { type BinaryBlock, type ImageBlock, mimeDetect } from "@ashlar/context";
import type { ModelMetadata } from "@ashlar/context/provider";

const IMAGE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Base64 characters that hold every signature `mimeDetect` looks at. */
const HEAD_CHARACTERS = 64;

/** A block as a data URL, or the reason why the wire cannot carry it. */
export type Media = { readonly url: string } | { readonly refusal: string };

/** Images of the four types that every server of this family reads. */
export function imageMedia(block: ImageBlock, info: ModelMetadata): Media {
  if (info.input !== undefined && !info.input.includes("image")) {
    return { refusal: "the model takes no images" };
  }
  const type = mimeOf(block);
  if (IMAGE_TYPES.includes(type)) return { url: `data:${type};base64,${block.content}` };
  return { refusal: `images of type ${type} are not taken; convert it to png, jpeg, gif or webp` };
}

export function mimeOf(block: ImageBlock | BinaryBlock): string {
  const stated = block.mimetype?.toLowerCase().split(";")[0]?.trim();
  if (stated) return stated === "image/jpg" ? "image/jpeg" : stated;
  const filename = "filename" in block ? block.filename : undefined;
  return mimeDetect({ bytes: firstBytes(block.content), ...(filename === undefined ? {} : { filename }) });
}

function firstBytes(base64: string): Uint8Array {
  const head = base64.slice(0, HEAD_CHARACTERS).replace(/[^A-Za-z0-9+/]/g, "");
  return Uint8Array.from(atob(head.slice(0, head.length - (head.length % 4))), (c) => c.charCodeAt(0));
}
