import { checkFields, checkText } from "../argument-check.js";
import { ToolError } from "../tool-error.js";
import type { Edit, EditInput } from "./edit-input.js";

const FIELDS = ["path", "edits", "matchAll", "rollback", "ask"] as const;
const EDIT_FIELDS = ["oldText", "newText"] as const;

/** The arguments of one call, checked, defaults filled in. */
export interface CheckedEdit {
  readonly path: string;
  /** Empty with `rollback`. */
  readonly edits: readonly Edit[];
  readonly matchAll: boolean;
  readonly rollback: string | undefined;
  readonly ask: boolean;
}

/** Throws kind `usage`. */
export function checkEdit(input: EditInput): CheckedEdit {
  checkFields("edit", input, FIELDS);
  checkText("path", input.path);
  const { path, edits, rollback, matchAll = false, ask = false } = input;
  if (rollback !== undefined) {
    checkText("rollback", rollback);
    if (edits !== undefined)
      throw usage("rollback", "edits and rollback do not go together; give one of them");
    return { path, edits: [], matchAll: false, rollback, ask };
  }
  if (edits === undefined) throw usage("edits", "edits is missing: wanted a list of {oldText, newText}");
  if (!Array.isArray(edits))
    throw usage("edits", `edits: wanted a list of {oldText, newText}, came a ${typeof edits}`);
  if (edits.length === 0) throw usage("edits", "edits is empty: wanted at least one {oldText, newText}");
  return { path, edits: edits.map(checkOne), matchAll, rollback: undefined, ask };
}

function checkOne(edit: unknown, index: number): Edit {
  const at = `edits[${index}]`;
  if (typeof edit !== "object" || edit === null)
    throw usage(at, `${at}: wanted {oldText, newText}, came a ${typeof edit}`);
  checkFields(at, edit, EDIT_FIELDS);
  const { oldText, newText } = { oldText: undefined, newText: undefined, ...edit };
  return { oldText: checkText(`${at}.oldText`, oldText), newText: checkText(`${at}.newText`, newText) };
}

function usage(argument: string, problem: string): ToolError<"usage"> {
  return new ToolError("usage", `${problem}.`, { argument });
}
