/** How hard a model should think, in the words callers use. */
export const THINKING_LEVELS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;
export type ThinkingLevel = (typeof THINKING_LEVELS)[number];

const RANKS: ReadonlyMap<string, number> = new Map([
  ["none", 0],
  ["off", 0],
  ["minimal", 0.5],
  ["low", 1],
  ["medium", 2],
  ["high", 3],
  ["xhigh", 4],
  ["max", 5],
  ["ultra", 6],
]);
const HIGH = 3;

/** The rank of each native mode; a word nobody knows ranks half a step above the mode before it. */
function rankModes(modes: readonly string[]): readonly number[] {
  const ranks: number[] = [];
  for (const mode of modes) ranks.push(RANKS.get(mode) ?? (ranks.at(-1) ?? 0) + 0.5);
  return ranks;
}

/**
 * The native mode that fits `wanted` best, from `modes` in order of strength; undefined when there are none.
 * An exact word wins; `none` takes the first mode; else the strongest mode not above the wanted rank,
 * else the weakest that is not off. A word nobody knows counts as `high`.
 */
export function nativeThinking(wanted: string, modes: readonly string[]): string | undefined {
  if (modes.includes(wanted)) return wanted;
  if (wanted === "none" || wanted === "off") return modes[0];
  const limit = RANKS.get(wanted) ?? HIGH;
  const ranked = rankModes(modes).map((rank, index) => ({ rank, mode: modes[index] }));
  const thinking = ranked.filter(({ rank }) => rank > 0).sort((a, b) => a.rank - b.rank);
  return (thinking.findLast(({ rank }) => rank <= limit) ?? thinking[0] ?? ranked[0])?.mode;
}

export interface ThinkingChoice {
  /** What the request asks for, in the words of `THINKING_LEVELS`. */
  readonly asked: string | undefined;
  /** The setting `think`: a word, or true and false. */
  readonly setting: unknown;
  /** The model's native modes and the one it uses by itself. */
  readonly modes: readonly string[];
  readonly modeDefault: string | undefined;
}

/** The native mode to send: what was asked for, else the setting, else the model's default; undefined sends none. */
export function chooseThinking({ asked, setting, modes, modeDefault }: ThinkingChoice): string | undefined {
  const wanted = asked ?? settingWord(setting) ?? modeDefault;
  return wanted === undefined ? undefined : nativeThinking(wanted, modes);
}

function settingWord(setting: unknown): string | undefined {
  if (setting === true) return "high";
  if (setting === false) return "none";
  return typeof setting === "string" && setting !== "" ? setting : undefined;
}
