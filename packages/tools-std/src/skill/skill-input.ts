/** The arguments of `skill`. */
export interface SkillInput {
  /** Absent or empty: list what there is. */
  readonly names?: readonly string[] | undefined;
}

/** Skills that one call may ask for. */
export const MAX_NAMES = 16;
