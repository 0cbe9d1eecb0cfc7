import { nearestName } from "@ashlar/context";
import type { ToolContext, ToolRecords } from "@ashlar/context/tool";
import { inTurn } from "../guard/file-queue.js";
import { ToolError } from "../tool-error.js";
import { NOTE_LIMITS, type NoteInput } from "./note-input.js";
import { charactersOf, checkNoteInput, type NoteRequest } from "./note-request.js";
import { searchNotes } from "./note-search.js";
import { foundText, listText, notesText } from "./note-text.js";
import { decodeNotes, encodeNotes, type Note, setNote } from "./notes.js";

const RECORD = "tool:note";
/** A name that no path has: changes of notes wait for one another, as changes of a file do. */
const TURN = "\0note";

/** Keeps notes in the conversation, outside of what its model is sent. Throws a `ToolError`; then nothing was changed. */
export async function note(input: NoteInput, context: ToolContext): Promise<string> {
  const request = checkNoteInput(input);
  const { records } = context;
  if (records === undefined) {
    throw new ToolError("refused", "There is no conversation here that could keep notes.", {
      reason: "no records",
    });
  }
  switch (request.action) {
    case "set":
      return inTurn(TURN, () => set(request, records));
    case "remove":
      return inTurn(TURN, () => remove(request, records));
    case "get":
      return notesText(named(await kept(records), request), request.only);
    case "list":
      return listText(await kept(records), request);
    case "search": {
      const notes = await kept(records);
      return foundText(await searchNotes(notes, request, context), notes.length, request);
    }
  }
}

async function kept(records: ToolRecords): Promise<readonly Note[]> {
  return decodeNotes(await records.latest(RECORD));
}

async function set({ notes: items }: NoteRequest, records: ToolRecords): Promise<string> {
  const before = await kept(records);
  let notes = before;
  for (const { title, fields } of items) notes = setNote(notes, title, fields);
  const titles = [...new Set(items.map(({ title }) => title))];
  for (const title of titles) checkSize(notes.find((one) => one.title === title));
  if (notes.length > NOTE_LIMITS.notes) {
    throw usage(
      `${notes.length} notes would be kept; at most ${NOTE_LIMITS.notes} fit. Remove some first, or put more into one`,
    );
  }
  if (notes === before) return "Nothing changed: the notes were so already.";
  await records.append(RECORD, encodeNotes(notes));
  const added = titles.filter((title) => !before.some((one) => one.title === title));
  // What did not change is the same object.
  const changed = titles.filter(
    (title) => !added.includes(title) && !before.some((one) => one.title === title && notes.includes(one)),
  );
  return [...sentence("Added", added), ...sentence("Changed", changed), countText(notes)].join(" ");
}

async function remove(request: NoteRequest, records: ToolRecords): Promise<string> {
  const before = await kept(records);
  const gone = named(before, request);
  const notes = before.filter((one) => !gone.includes(one));
  await records.append(RECORD, encodeNotes(notes));
  const titles = gone.map(({ title }) => title);
  return [...sentence("Removed", titles), countText(notes)].join(" ");
}

/** The notes of these titles, each once. Throws kind `usage` when one is not there. */
function named(notes: readonly Note[], { notes: items }: NoteRequest): readonly Note[] {
  const found = items.map(({ title }, index) => {
    const match = notes.find((one) => one.title === title);
    if (match !== undefined) return match;
    const near = nearestName(
      title,
      notes.map((one) => one.title),
    );
    const hint =
      near === undefined ? `{"action": "list"} names them` : `did you mean ${JSON.stringify(near)}?`;
    throw usage(`notes[${index}]: there is no note ${JSON.stringify(title)}; ${hint}`);
  });
  return [...new Set(found)];
}

function checkSize(one: Note | undefined): void {
  if (one === undefined) return;
  const { title, fields } = one;
  const names = Object.keys(fields).length;
  const shown = JSON.stringify(title);
  if (names > NOTE_LIMITS.fields)
    throw usage(`The note ${shown} would have ${names} fields; at most ${NOTE_LIMITS.fields} fit`);
  const length = charactersOf(JSON.stringify(one));
  if (length > NOTE_LIMITS.note) {
    throw usage(
      `The note ${shown} would have ${length} characters as JSON; at most ${NOTE_LIMITS.note} fit. Shorten it or make two`,
    );
  }
}

function sentence(verb: string, titles: readonly string[]): readonly string[] {
  return titles.length === 0 ? [] : [`${verb} ${titles.map((title) => JSON.stringify(title)).join(", ")}.`];
}

function countText({ length }: readonly Note[]): string {
  return `${length} of ${NOTE_LIMITS.notes} notes are kept.`;
}

function usage(problem: string): ToolError<"usage"> {
  const end = problem.endsWith("?") ? "" : ".";
  return new ToolError("usage", `${problem}${end}`, { argument: "notes" });
}
