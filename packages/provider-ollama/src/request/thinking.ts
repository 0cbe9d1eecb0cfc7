/** The modes this provider offers while nobody has asked the model for its own. */
export const GENERAL_MODES: readonly string[] = ["off", "low", "medium", "high", "max"];

const RANKS = ["minimal", "low", "medium", "high", "xhigh", "max"];
const OFF_WORDS: readonly string[] = ["off", "none", "false"];

/** What to send as `think`, or why nothing is sent. */
export type ThinkChoice = { readonly think: string | boolean } | { readonly omit: string | undefined };

/**
 * The model's own value for a wanted mode. `modes` as in `ModelFacts.thinking`; undefined when the server did not say.
 * A model is never sent a value that it does not list: an unknown one would be taken as its default in silence.
 */
export function chooseThink(wanted: string, modes: readonly string[] | undefined): ThinkChoice {
  const off = OFF_WORDS.includes(wanted);
  if (modes === undefined) return { omit: "the server does not say which thinking modes the model has" };
  if (modes.length === 0) return { omit: off ? undefined : "the model does not think" };
  if (modes.includes(wanted)) return { think: wireValue(wanted) };
  if (off)
    return modes.includes("off") ? { think: false } : { omit: "the model's thinking cannot be switched off" };
  const levels = modes.filter((mode) => RANKS.includes(mode));
  if (levels.length === 0)
    return modes.includes("on") ? { think: true } : { omit: "the model has no such mode" };
  const rank = RANKS.indexOf(wanted);
  const limit = rank < 0 ? RANKS.indexOf("high") : rank;
  return { think: levels.findLast((level) => RANKS.indexOf(level) <= limit) ?? levels[0] ?? true };
}

function wireValue(mode: string): string | boolean {
  if (mode === "on") return true;
  return mode === "off" ? false : mode;
}
