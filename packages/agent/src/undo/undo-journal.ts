import { randomBytes } from "node:crypto";
import type { FileChange, FileChanges } from "@ashlar/context/tool";
import { AgentError } from "../agent-error.js";
import type { ChangeRecord } from "./change-record.js";
import { JournalFiles } from "./journal-files.js";
import {
  type FoundFile,
  findFile,
  hashOf,
  MAX_KEPT_BYTES,
  type ProjectPlace,
  projectPlace,
  restoreFile,
} from "./project-file.js";
import { chooseUndo, lossOf, nameOf } from "./undo-choice.js";

export interface UndoJournalOptions {
  /** Real path of the project. */
  readonly project: string;
  /** The user's state folder (`env.folders.state`). */
  readonly state: string;
}

/** A change as it is listed. */
export interface Change {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Absolute; null for a call whose changes are not kept, such as one of bash. */
  readonly path: string | null;
  /** Why it cannot be undone; absent: it can, as long as nobody changed the file since. */
  readonly lost?: string;
}

export interface UndoResult {
  readonly callId: string;
  readonly tool: string;
  /** Absolute paths. */
  readonly restored: readonly string[];
  /** Files that were not there before. */
  readonly removed: readonly string[];
  /** What stays as it is, in sentences. */
  readonly notes: readonly string[];
}

export interface RecordedCall {
  readonly callId: string;
  readonly tool: string;
  /** The agent's folder, where relative paths start. */
  readonly folder: string;
  /** Files it will write, as its arguments name them; undefined: it does not say. */
  readonly paths: readonly string[] | undefined;
}

/** A call that was recorded before it runs. */
export interface OpenChange {
  /** Records what the call left; gives the ids of what can be undone. */
  readonly settle: () => Promise<readonly string[]>;
}

/** The changes that tools made in one project, with the bytes before them. Several processes may use one at a time. */
export class UndoJournal implements FileChanges {
  readonly #project: string;
  readonly #files: JournalFiles;
  #pruned = false;

  constructor({ project, state }: UndoJournalOptions) {
    this.#project = project;
    this.#files = new JournalFiles(state, project);
  }

  /** Oldest first. */
  async list(): Promise<readonly Change[]> {
    const records = await this.#files.list();
    return records.map((record) => {
      const { id, callId, tool, at, path } = record;
      const lost = lossOf(record);
      return { id, callId, tool, at, path, ...(lost !== undefined && { lost }) };
    });
  }

  /** By the id of the change, or of its call: the last one of that call. */
  readonly find: FileChanges["find"] = async (id): Promise<FileChange | undefined> => {
    const records = await this.#files.list();
    const record =
      records.find((candidate) => candidate.id === id) ??
      records.findLast((candidate) => candidate.callId === id && candidate.path !== null);
    if (record === undefined || record.path === null || lossOf(record) !== undefined) return undefined;
    const { path, before, after = null } = record;
    const bytes = before === null ? null : await this.#files.kept(before);
    return bytes === undefined ? undefined : { id: record.id, path, before: bytes, after };
  };

  /** Keeps what a call is about to change. */
  async open(call: RecordedCall): Promise<OpenChange> {
    const at = Date.now();
    if (!this.#pruned) {
      this.#pruned = true;
      await this.#files.prune(at);
    }
    const records = await this.#recordsOf(call, at);
    for (const record of records) await this.#files.write(record);
    return { settle: () => this.#settle(records) };
  }

  /**
   * Puts back what one call changed: the one of this id, or the last that can be undone. Rejects with kind `undo` when a
   * file is not what the call left, saying which and how; then nothing was put back.
   */
  async undo(id?: string): Promise<UndoResult> {
    const choice = chooseUndo(await this.#files.list(), id);
    if (typeof choice === "string") throw undoError(choice, id);
    const restorations = await Promise.all(choice.records.map((record) => this.#restoration(record)));
    const result = { restored: [] as string[], removed: [] as string[] };
    for (const { record, ...restoration } of restorations) {
      await restoreFile(restoration);
      await this.#files.write({ ...record, undone: Date.now() });
      (restoration.bytes === null ? result.removed : result.restored).push(restoration.path);
    }
    const [{ callId = "", tool = "" } = {}] = choice.records;
    const notes = choice.later.map((record) => `${nameOf(record)} came later and stays${whyOf(record)}.`);
    return { callId, tool, ...result, notes };
  }

  async #recordsOf(
    { callId, tool, folder, paths }: RecordedCall,
    at: number,
  ): Promise<readonly ChangeRecord[]> {
    const shared = { callId, tool, at, before: null, mode: null };
    if (paths === undefined)
      return [{ ...shared, id: newId(at, 0), path: null, lost: `what ${tool} changes is not recorded` }];
    const records: ChangeRecord[] = [];
    for (const [index, path] of [...new Set(paths)].entries()) {
      // A path that leads nowhere is the tool's to refuse.
      const place = await projectPlace(this.#project, folder, path).catch(() => undefined);
      if (place !== undefined) records.push(await this.#recordOf({ ...shared, id: newId(at, index) }, place));
    }
    return records;
  }

  async #recordOf(
    base: Omit<ChangeRecord, "path">,
    { path, madeFolder }: ProjectPlace,
  ): Promise<ChangeRecord> {
    const found = await findFile(path);
    const record = { ...base, path, ...(madeFolder !== undefined && { madeFolder }) };
    if (found.kind === "missing") return record;
    if (found.kind !== "file") return { ...record, lost: unkept(found) };
    return { ...record, before: await this.#files.keep(found.bytes), mode: found.mode };
  }

  async #settle(records: readonly ChangeRecord[]): Promise<readonly string[]> {
    const ids: string[] = [];
    for (const record of records) {
      if (record.path === null || record.lost !== undefined) continue;
      const found = await findFile(record.path);
      if (found.kind === "large" || found.kind === "other")
        await this.#files.write({ ...record, lost: unkept(found) });
      else {
        const after = found.kind === "file" ? hashOf(found.bytes) : null;
        if (after === record.before) await this.#files.remove(record);
        else {
          await this.#files.write({ ...record, after });
          ids.push(record.id);
        }
      }
    }
    return ids;
  }

  /** Checks one file. Throws kind `undo` when it cannot be put back. */
  async #restoration(record: ChangeRecord) {
    const { path, before, after, madeFolder } = record;
    if (path === null) throw undoError(`${nameOf(record)} cannot be undone.`, record.id);
    const found = await findFile(path);
    const now = found.kind === "file" ? hashOf(found.bytes) : found.kind === "missing" ? null : undefined;
    if (now !== after)
      throw undoError(
        `Nothing was undone: ${path} is not what ${record.tool} (call ${record.callId}) left. ${difference(found, after ?? null)}`,
        record.id,
      );
    const bytes = before === null ? null : await this.#files.kept(before);
    if (bytes === undefined)
      throw undoError(`Nothing was undone: the earlier bytes of ${path} are not kept any more.`, record.id);
    return { record, path, bytes, mode: record.mode ?? 0o644, madeFolder };
  }
}

function difference(found: FoundFile, after: string | null): string {
  switch (found.kind) {
    case "missing":
      return "It is gone.";
    case "file":
      return after === null
        ? `The call left no file; there is one of ${found.bytes.length} bytes now.`
        : `It was changed afterwards and has ${found.bytes.length} bytes now.`;
    case "large":
      return `It has ${found.size} bytes now.`;
    case "other":
      return `It is ${found.name} now.`;
  }
}

function unkept(found: Extract<FoundFile, { kind: "large" | "other" }>): string {
  return found.kind === "large"
    ? `it has ${found.size} bytes, and at most ${MAX_KEPT_BYTES} are kept`
    : `it is ${found.name}`;
}

function whyOf({ path }: ChangeRecord): string {
  return path === null ? ", because what it changed is not recorded" : "";
}

/** Sorts by time; unique among processes. */
function newId(at: number, index: number): string {
  return `${at.toString(36).padStart(9, "0")}-${index.toString(36).padStart(2, "0")}${randomBytes(3).toString("hex")}`;
}

function undoError(message: string, id: string | undefined): AgentError<"undo"> {
  return new AgentError("undo", message, id === undefined ? {} : { id });
}
