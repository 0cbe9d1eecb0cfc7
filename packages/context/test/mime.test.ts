import { mimeDetect } from "@ashlar/context";
import { expect, it } from "vitest";

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const png = bytes("\x89PNG\r\n\x1a\n....");

it.each([
  { why: "the extension", input: { filename: "a.md" }, mime: "text/markdown" },
  { why: "whatever its case", input: { filename: "A.PNG" }, mime: "image/png" },
  { why: "the last of several", input: { filename: "a.tar.gz" }, mime: "application/gzip" },
  { why: "the extension before the bytes", input: { filename: "a.txt", bytes: png }, mime: "text/plain" },
  {
    why: "the bytes when the extension is strange",
    input: { filename: "a.xyz", bytes: png },
    mime: "image/png",
  },
  {
    why: "the bytes when there is no extension",
    input: { filename: "README", bytes: bytes("%PDF-1.7") },
    mime: "application/pdf",
  },
  {
    why: "the bytes when the name is only an extension",
    input: { filename: "/x/.png", bytes: bytes("GIF89a") },
    mime: "image/gif",
  },
  { why: "no folder's extension", input: { filename: "/a.png/b" }, mime: "application/octet-stream" },
  { why: "no word of a prototype", input: { filename: "a.constructor" }, mime: "application/octet-stream" },
  { why: "JPEG", input: { bytes: bytes("\xff\xd8\xff\xe0") }, mime: "image/jpeg" },
  { why: "WebP", input: { bytes: bytes("RIFF\x01\x02\x03\x04WEBPVP8 ") }, mime: "image/webp" },
  {
    why: "a wave, which is another RIFF",
    input: { bytes: bytes("RIFF\x01\x02\x03\x04WAVEfmt ") },
    mime: "audio/wav",
  },
  { why: "AVIF before MP4", input: { bytes: bytes("\0\0\0\x20ftypavif....") }, mime: "image/avif" },
  { why: "MP4", input: { bytes: bytes("\0\0\0\x20ftypisom....") }, mime: "video/mp4" },
  {
    why: "a tar by its far mark",
    input: { bytes: bytes(`${"a".repeat(257)}ustar`) },
    mime: "application/x-tar",
  },
  { why: "cut bytes as nothing known", input: { bytes: bytes("\x89PN") }, mime: "application/octet-stream" },
  {
    why: "text that looks like no format",
    input: { bytes: bytes("BM is a word") },
    mime: "application/octet-stream",
  },
  { why: "nothing as nothing known", input: {}, mime: "application/octet-stream" },
])("tells $mime by $why", ({ input, mime }) => {
  expect(mimeDetect(input)).toBe(mime);
});
