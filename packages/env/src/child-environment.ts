/** Name patterns: `*` stands for any characters, case does not matter. */
export interface ChildEnvironmentRules {
  /** Keeps only these, and wins over `refuse`. */
  readonly allow: readonly string[] | false;
  readonly refuse: readonly string[] | false;
}

/** The environment that child processes get. Variables without a value fall out. */
export function childEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
  { allow, refuse }: ChildEnvironmentRules,
): Readonly<Record<string, string>> {
  const keeps = allow === false ? matcher(refuse === false ? [] : refuse) : matcher(allow);
  const wanted = allow !== false;
  return Object.freeze(
    Object.fromEntries(
      Object.entries(environment).filter(
        (entry): entry is [string, string] => entry[1] !== undefined && keeps(entry[0]) === wanted,
      ),
    ),
  );
}

function matcher(patterns: readonly string[]): (name: string) => boolean {
  const expressions = patterns.map(
    (pattern) => new RegExp(`^${pattern.split("*").map(escapeText).join(".*")}$`, "isu"),
  );
  return (name) => expressions.some((expression) => expression.test(name));
}

function escapeText(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/gu, "\\$&");
}
