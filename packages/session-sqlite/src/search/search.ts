import { setImmediate as nextTurn } from "node:timers/promises";
import { isSessionError, type SearchHit, type SearchOptions, SearchScan } from "@ashlar/context";
import type { SessionDatabase } from "../database/database.js";
import type { SqlConnection, SqlRow, SqlValue } from "../driver/driver.js";
import { piecesQuery } from "./pieces.js";
import { advanceIndex, indexedPosition, resetIndex } from "./search-index.js";
import { comparable, parseEntry } from "./texts.js";

/** How long a search may work on the index before it answers from what is there. */
const INDEX_BUDGET_MS = 200;
const HITS_AT_ONCE = 64;
/** Positions that are looked at in one go. */
const INDEXED_SPAN = 20_000;
const PLAIN_SPAN = 1_000;

/**
 * Finds entries that hold every word. The index and a plain scan only choose them; order and snippets are those of
 * `SearchScan`, so that every store answers the same. What the index does not reach yet is scanned.
 */
export async function* searchDatabase(
  database: SessionDatabase,
  text: string,
  options: SearchOptions,
): AsyncGenerator<SearchHit, void, undefined> {
  const { signal } = options;
  signal?.throwIfAborted();
  const isBlank = new SearchScan(text, options).isBlank;
  if (isBlank) return;
  await advanceIndex(database, { budgetMs: INDEX_BUDGET_MS, signal });
  for (const hit of await bestHits(database, text, options)) {
    signal?.throwIfAborted();
    yield hit;
  }
}

async function bestHits(
  database: SessionDatabase,
  text: string,
  options: SearchOptions,
): Promise<readonly SearchHit[]> {
  const indexed = await database.read(indexedPosition);
  try {
    return await scan(database, new SearchScan(text, options), { options, indexed });
  } catch (error) {
    if (!(isSessionError(error) && error.kind === "damaged") || indexed === 0) throw error;
  }
  // The index can be made anew from the texts, so its damage costs time only.
  const hits = await scan(database, new SearchScan(text, options), { options, indexed: 0 });
  await database.write(resetIndex).catch(() => undefined);
  return hits;
}

interface ScanOptions {
  readonly options: SearchOptions;
  /** The index knows everything up to this position. */
  readonly indexed: number;
}

async function scan(
  database: SessionDatabase,
  found: SearchScan,
  { options, indexed }: ScanOptions,
): Promise<readonly SearchHit[]> {
  const words = found.words.map(comparable);
  const pieces = piecesQuery(words);
  const end = await database.read(lastPosition);
  let after = 0;
  while (after < end) {
    const isIndexed = pieces !== undefined && after < indexed;
    const until = isIndexed ? Math.min(after + INDEXED_SPAN, indexed) : Math.min(after + PLAIN_SPAN, end);
    const span: Span = { after, until, words, pieces: isIndexed ? pieces : undefined, options };
    const rows = await database.read((connection) => candidates(connection, span));
    for (const { body, id } of rows) {
      const entry = parseEntry(body);
      if (entry !== undefined) found.look(String(id), entry);
    }
    after = rows.length < HITS_AT_ONCE ? until : Number(rows.at(-1)?.position);
    await nextTurn();
    options.signal?.throwIfAborted();
  }
  return found.hits;
}

interface Span {
  readonly after: number;
  readonly until: number;
  readonly words: readonly string[];
  /** The question to the index; undefined for a plain scan. */
  readonly pieces: string | undefined;
  readonly options: SearchOptions;
}

function candidates(
  connection: SqlConnection,
  { after, until, words, pieces, options }: Span,
): readonly SqlRow[] {
  const { kinds, cwd } = options;
  const terms = [
    "t.position > ?",
    "t.position <= ?",
    "s.id IS NOT NULL",
    ...words.map(() => "instr(t.folded, ?)"),
  ];
  const values: SqlValue[] = [after, until, ...words];
  // The order of the tables is the order in which they are asked.
  let from = "texts t";
  if (pieces !== undefined) {
    from = "pieces p CROSS JOIN texts t ON t.position = p.rowid";
    terms.unshift("pieces MATCH ?", "p.rowid > ?", "p.rowid <= ?");
    values.unshift(pieces, after, until);
  }
  if (kinds !== undefined) {
    terms.push(`e.kind IN (${kinds.map(() => "?").join(", ")})`);
    values.push(...kinds);
  }
  if (cwd !== undefined) {
    terms.push("s.cwd = ?");
    values.push(cwd);
  }
  const sql = `SELECT e.position, e.body, s.id FROM ${from}
    CROSS JOIN entries e ON e.position = t.position CROSS JOIN sessions s ON s.key = e.session
    WHERE ${terms.join(" AND ")} ORDER BY ${pieces === undefined ? "t.position" : "p.rowid"} LIMIT ${HITS_AT_ONCE}`;
  return connection.all(sql, ...values);
}

function lastPosition(connection: SqlConnection): number {
  const [row] = connection.all("SELECT max(position) AS position FROM texts");
  return Number(row?.position ?? 0);
}
