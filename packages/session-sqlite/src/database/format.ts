/** Says that a database is ours: `Ashl`. */
export const APPLICATION_ID = 0x4173_686c;
export const FORMAT_VERSION = 2;

/** `id` is null while a fork is being copied, so that no half of one is ever seen. */
const SESSIONS = `
CREATE TABLE sessions (
  key INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT UNIQUE,
  created REAL NOT NULL,
  updated REAL NOT NULL,
  cwd TEXT,
  name TEXT,
  preview TEXT,
  parent TEXT,
  settings TEXT,
  seq INTEGER NOT NULL DEFAULT 0,
  fence INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX sessions_by_time ON sessions (updated);
`;

/** `position` counts over all sessions and never comes again; within a session it is the order of the entries. */
const ENTRIES = `
CREATE TABLE entries (
  position INTEGER PRIMARY KEY AUTOINCREMENT,
  session INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  lane TEXT NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX entries_by_session ON entries (session);
CREATE INDEX entries_by_kind ON entries (session, kind);
`;

/** Who writes to a session. A hold counts as long as its session's fence is the one it was given. */
const HOLDS = `
CREATE TABLE holds (
  session INTEGER PRIMARY KEY,
  owner TEXT NOT NULL,
  since REAL NOT NULL,
  heartbeat REAL NOT NULL
);
`;

/** The words of the entries, folded, and three-letter pieces of them up to the position `indexed`. */
const SEARCH = `
CREATE TABLE texts (position INTEGER PRIMARY KEY, folded TEXT NOT NULL);
CREATE TABLE marks (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
INSERT INTO marks VALUES ('indexed', 0);
CREATE VIRTUAL TABLE pieces USING fts5 (
  folded, content = '', contentless_delete = 1, detail = none, tokenize = 'trigram case_sensitive 1'
);
`;

export const CREATE_FORMAT: string = `${SESSIONS}${ENTRIES}${HOLDS}${SEARCH}`;

/** From format 1, which had neither search nor holds, and named the kind and the lane in the entry only. */
export const FROM_FORMAT_1: string = `
DROP INDEX IF EXISTS entries_by_session;
ALTER TABLE sessions RENAME TO sessions_1;
ALTER TABLE entries RENAME TO entries_1;
${SESSIONS}${ENTRIES}${HOLDS}${SEARCH}
INSERT INTO sessions (key, id, created, updated, cwd, name, preview, parent, settings, seq)
  SELECT key, id, created, updated, cwd, name, preview, parent, settings, seq FROM sessions_1;
INSERT INTO entries
  SELECT position, session, seq,
    CASE WHEN json_valid(body) THEN coalesce(json_extract(body, '$.kind'), '') ELSE '' END,
    CASE WHEN json_valid(body) THEN coalesce(json_extract(body, '$.lane'), 'main') ELSE 'main' END,
    body
  FROM entries_1;
DROP TABLE entries_1;
DROP TABLE sessions_1;
`;
