const MAX_NAME = 120;
const MAX_ID = 120;
const SAFE = /^[A-Za-z0-9][A-Za-z0-9 ._-]*$/u;

/** Why a file name is none of a task; undefined: it is one. */
export function taskNameProblem(name: string): string | undefined {
  if (!name.endsWith(".md")) return "a task's name ends in .md";
  if (name.length > MAX_NAME) return `a task's name has at most ${MAX_NAME} characters`;
  if (SAFE.test(name)) return undefined;
  return "a task's name begins with a letter or digit, and has letters, digits, blanks, dots, _ and - only";
}

/** Why a text is no id. */
export function taskIdProblem(id: unknown): string | undefined {
  if (typeof id === "string" && id.length <= MAX_ID && SAFE.test(id) && !/[ .]$/u.test(id)) return undefined;
  return `an id begins with a letter or digit, has letters, digits, blanks, dots, _ and - only, and at most ${MAX_ID} characters`;
}
