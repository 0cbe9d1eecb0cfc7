const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
/** Characters that HTML does not allow, and those that turn the text around them. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/g;
const REPLACEMENT = "\ufffd";

/** Text of anybody's, inside an element or a quoted attribute: it stays text. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, "\n")
    .replaceAll(UNSEEN, REPLACEMENT)
    .replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

const IMAGE_TYPES: ReadonlySet<string> = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The address of a picture that a page may show without asking anybody; undefined for other data. */
export function imageAddress(mimetype: string | undefined, base64: string): string | undefined {
  if (mimetype === undefined || !IMAGE_TYPES.has(mimetype.toLowerCase()) || !BASE64.test(base64))
    return undefined;
  return `data:${mimetype.toLowerCase()};base64,${base64}`;
}
