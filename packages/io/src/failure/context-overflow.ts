/** Tokens the model can hold, and tokens the request needed. */
export interface ContextOverflow {
  readonly window?: number;
  readonly needed?: number;
}

const OVERFLOW =
  /context[ _-]?(?:length|window|size)(?:[ _-]?(?:exceeded|limit))|exceed\w* (?:the |this |its |your )?(?:\w+ )?(?:available |maximum |model'?s? )?context|(?:maximum|model'?s) context (?:length|window|size)|prompt is (?:too long|longer than)|too many (?:input )?tokens|input (?:is|too) (?:too )?long|reduce the length of the (?:messages|prompt|input)/i;
const PAIR = /(\d[\d,]*) tokens? ?(?:>|exceeds?|is (?:greater|longer|larger) than)\D*?(\d[\d,]*)/i;
const WINDOW =
  /(?:context (?:length|window|size)|maximum|limit|max)(?: (?:is|of|to|allowed))?[^\d.]{0,12}?(\d[\d,]*)/i;
const NEEDED =
  /(?:requested|resulted in|request(?:ed)?(?: has)?|prompt (?:has|contains|of)|input of|needs?|you (?:requested|sent))[^\d.]{0,20}?(\d[\d,]*)/i;

/** Does a server's message say that the context did not fit, and with which numbers; undefined when it says something else. */
export function contextOverflowOf(message: string, code?: string): ContextOverflow | undefined {
  if (code !== "context_length_exceeded" && !OVERFLOW.test(message)) return undefined;
  const pair = PAIR.exec(message);
  const needed = tokens(pair?.[1] ?? NEEDED.exec(message)?.[1]);
  const window = tokens(pair?.[2] ?? WINDOW.exec(message)?.[1]);
  return {
    ...(window !== undefined && { window }),
    ...(needed !== undefined && { needed }),
  };
}

function tokens(digits: string | undefined): number | undefined {
  const count = Number(digits?.replaceAll(",", ""));
  return Number.isSafeInteger(count) && count > 0 ? count : undefined;
}
