import {
  isObject,
  type JsonObject,
  type SessionInfo,
  type SessionOrigin,
  wellFormedJson,
} from "@ashlar/context";

/** Version 1 is the plain list of messages; 2 the tree of entries. */
export const FORMAT_VERSION = 2;

/** The first line of a file. */
export interface Header {
  readonly version: number;
  readonly id: string;
  /** Epoch milliseconds. */
  readonly created: number;
  readonly cwd?: string;
  readonly parent?: SessionOrigin;
  readonly settings?: JsonObject;
  /** Version 1 kept the name here. */
  readonly name?: string;
}

/** Stands at least every 32 KiB, so that the end of a file says what a list shows of the whole. */
export interface Digest {
  readonly seq: number;
  /** Epoch milliseconds of the newest entry. */
  readonly at: number;
  readonly name?: string;
  readonly preview?: string;
}

/** A line that is no entry. */
export type Note =
  | { readonly type: "header"; readonly header: Header }
  | { readonly type: "digest"; readonly digest: Digest }
  | { readonly type: "healed" };

export function headerLine(header: Header): string {
  const { version, id, created, cwd, parent, settings } = header;
  const line = {
    type: "session",
    version,
    id,
    created: new Date(created).toISOString(),
    cwd,
    parent,
    settings,
  };
  return `${JSON.stringify(wellFormedJson(line))}\n`;
}

export function digestLine(digest: Digest): string {
  return `${JSON.stringify({ type: "digest", ...digest })}\n`;
}

/** Says that the line before it is torn and that this is known. */
export function healedLine(bytes: number, at: number): string {
  return `${JSON.stringify({ type: "healed", bytes, at })}\n`;
}

/** Undefined for what is no note, such as an entry. */
export function noteOf(value: unknown): Note | undefined {
  if (!isObject(value)) return undefined;
  switch (value.type) {
    case "session":
    case "session-metadata": {
      const header = headerOf(value);
      return header === undefined ? undefined : { type: "header", header };
    }
    case "digest": {
      const digest = digestOf(value);
      return digest === undefined ? undefined : { type: "digest", digest };
    }
    case "healed":
      return { type: "healed" };
    default:
      return undefined;
  }
}

function headerOf(line: Record<string, unknown>): Header | undefined {
  const { version, id } = line;
  const settings = line.type === "session" ? line.settings : line.agent;
  if (typeof version !== "number" || !Number.isSafeInteger(version) || typeof id !== "string")
    return undefined;
  const created = typeof line.created === "string" ? Date.parse(line.created) : Number.NaN;
  return {
    version,
    id,
    created: Number.isFinite(created) ? created : 0,
    ...(typeof line.cwd === "string" ? { cwd: line.cwd } : {}),
    ...(isOrigin(line.parent) ? { parent: line.parent } : {}),
    // It came from JSON.parse.
    ...(isObject(settings) ? { settings: settings as JsonObject } : {}),
    ...(typeof line.name === "string" ? { name: line.name } : {}),
  };
}

function digestOf({ seq, at, name, preview }: Record<string, unknown>): Digest | undefined {
  if (typeof seq !== "number" || typeof at !== "number") return undefined;
  return {
    seq,
    at,
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof preview === "string" ? { preview } : {}),
  };
}

function isOrigin(value: unknown): value is SessionOrigin {
  return (
    isObject(value) &&
    typeof value.session === "string" &&
    (value.entry === undefined || typeof value.entry === "string")
  );
}

export function infoOf(id: string, header: Header, digest: Digest): SessionInfo {
  const { created, cwd, parent, settings } = header;
  const { name, preview } = digest;
  return {
    id,
    created,
    updated: digest.seq === 0 ? created : digest.at,
    ...(cwd === undefined ? {} : { cwd }),
    ...(name === undefined ? {} : { name }),
    ...(preview === undefined ? {} : { preview }),
    ...(parent === undefined ? {} : { parent }),
    ...(settings === undefined ? {} : { settings }),
  };
}
