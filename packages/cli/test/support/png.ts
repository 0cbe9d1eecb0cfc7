import { inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Bytes of its rows, as they were filtered; a picture of one colour has two different ones at most. */
  readonly different: number;
}

/** What a PNG says of itself, and whether anything is in it. Throws for what is no PNG. */
export function readPicture(png: Buffer): Picture {
  if (!png.subarray(0, SIGNATURE.length).equals(SIGNATURE)) throw new Error("this is no PNG");
  const data: Buffer[] = [];
  for (let at = SIGNATURE.length; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString("latin1", at + 4, at + 8) === "IDAT") data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const rows = inflateSync(Buffer.concat(data));
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20), different: new Set(rows).size };
}
