import { type FrontmatterProblem, parseFrontmatter } from "@ashlar/env/frontmatter";

/** A task file in its two parts. */
export interface TaskText {
  readonly data: Readonly<Record<string, unknown>>;
  /** Without white space around it. */
  readonly prompt: string;
  /** Why it cannot be relied on. */
  readonly problem?: string;
  /** What was read differently from what is written. */
  readonly notes: readonly string[];
}

/** A file without frontmatter is its prompt, as a whole. A key that cannot be read rejects the task: a limit may be lost with it. */
export function readTaskText(text: string): TaskText {
  const { data, body, problems } = parseFrontmatter(text);
  const prompt = body.trim();
  const notes = problems.filter(({ kind }) => kind === "repaired").map(sentenceOf);
  const [first] = problems.filter(({ kind }) => kind !== "repaired");
  if (first !== undefined) return { data: {}, prompt, problem: sentenceOf(first), notes };
  const odd = Object.entries(data ?? {}).find(([, value]) => notes.length > 0 && isYamlMark(value));
  if (odd !== undefined) {
    const problem = `${odd[0]} has a YAML tag, anchor or alias; write the plain value`;
    return { data: {}, prompt, problem, notes };
  }
  return { data: data ?? {}, prompt, notes };
}

function isYamlMark(value: unknown): boolean {
  return typeof value === "string" && /^[!&*]/u.test(value);
}

function sentenceOf({ message, line }: FrontmatterProblem): string {
  return /^line \d/u.test(message) ? message : `line ${line}: ${message}`;
}
