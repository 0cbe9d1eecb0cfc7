import { CommandError } from "../command-error.js";
import { LATEST } from "./find-session.js";

/** Throws kind `usage` for an id that stands for another session in every command, so that none could be asked for this one. */
export function checkNewId(flag: string, id: string | undefined): void {
  if (id !== LATEST) return;
  const problem = `${flag}: "${LATEST}" stands for the newest session of a project; give another id`;
  throw new CommandError("usage", problem, { argument: flag });
}
