/** What a skill or a prompt may be called: 1 to 64 letters, digits, `.`, `_` and `-`. As a part of an expression. */
export const NAME_PATTERN = "[\\p{L}\\p{N}][\\p{L}\\p{M}\\p{N}._-]{0,63}";

const NAME = new RegExp(`^${NAME_PATTERN}$`, "u");

export function isContentName(name: string): boolean {
  return NAME.test(name);
}

/** The wanted form, as the rest of a sentence. */
export const NAME_RULE = "a name has 1 to 64 letters, digits, ., _ or -";
