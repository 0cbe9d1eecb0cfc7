import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { SessionDamage, SessionEntry } from "@ashlar/context";
import { flatten } from "./flatten.js";
import { digestLine, FORMAT_VERSION, type Header, headerLine } from "./format.js";
import { keepAs, syncFolder } from "./publish.js";
import { scanSession } from "./session-scan.js";
import { RunningDigest, readSummary } from "./session-summary.js";

const BATCH_BYTES = 1024 * 1024;

/** Writes a new session file and makes it durable. It is nobody's yet: publish it. */
export async function stageSession(
  staged: string,
  header: Header,
  entries: AsyncIterable<SessionEntry> | Iterable<SessionEntry>,
): Promise<void> {
  const handle = await open(staged, "wx", 0o600);
  try {
    let text = headerLine(header);
    const running = new RunningDigest({ seq: 0, at: 0 });
    for await (const entry of entries) {
      text += `${JSON.stringify(entry)}\n`;
      running.take(entry);
      if (text.length < BATCH_BYTES) continue;
      await handle.writeFile(text);
      text = "";
    }
    await handle.writeFile(running.seq === 0 ? text : text + digestLine(running.digest));
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export interface Rewritten {
  /** The format that the original was in. */
  readonly version: number;
  /** Where the original is kept. */
  readonly backup: string;
  readonly entries: number;
  /** What was wrong with the original. */
  readonly damage: readonly SessionDamage[];
}

/** Replaces a file by one of this format that holds what can be read of it; the original is kept beside it. */
export async function rewriteSession(
  { id, file }: { readonly id: string; readonly file: string },
  staged: string,
  suffix: (version: number) => string,
): Promise<Rewritten> {
  const handle = await open(file, "r");
  try {
    const { header, size } = await readSummary(handle);
    const version = header?.version ?? FORMAT_VERSION;
    const damage: SessionDamage[] = [];
    const report = (found: SessionDamage): void => void damage.push(found);
    const source = named(
      flatten(() => scanSession({ file, handle, size, version, report })),
      header,
    );
    const counted = counting(source);
    const created = header?.created ?? (await handle.stat()).mtimeMs;
    await stageSession(staged, { ...header, id, created, version: FORMAT_VERSION }, counted);
    const backup = await keepAs(file, `${file}.${suffix(version)}`);
    await rename(staged, file);
    await syncFolder(dirname(file));
    return { version, backup, entries: counted.count, damage };
  } finally {
    await handle.close();
    await rm(staged, { force: true });
  }
}

/** Version 1 kept the name in its header; here it is an entry. */
async function* named(
  entries: AsyncIterable<SessionEntry>,
  header: Header | undefined,
): AsyncGenerator<SessionEntry, void, undefined> {
  const isNamed = header?.version === 1 && header.name !== undefined;
  if (isNamed)
    yield {
      id: "v1-name",
      seq: 1,
      parent: null,
      at: header.created,
      kind: "name",
      name: header.name ?? null,
    };
  for await (const entry of entries) yield isNamed ? { ...entry, seq: entry.seq + 1 } : entry;
}

interface Counted extends AsyncIterable<SessionEntry> {
  readonly count: number;
}

function counting(entries: AsyncIterable<SessionEntry>): Counted {
  let count = 0;
  return {
    get count() {
      return count;
    },
    async *[Symbol.asyncIterator]() {
      for await (const entry of entries) {
        count += 1;
        yield entry;
      }
    },
  };
}
