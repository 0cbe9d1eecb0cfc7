export interface QuestionOption {
  readonly label: string;
  readonly description: string;
  /** Shown while the option is in view. */
  readonly preview?: string | undefined;
}

export interface QuestionItem {
  readonly question: string;
  readonly header: string;
  readonly details?: string | undefined;
  readonly multiSelect?: boolean | undefined;
  readonly options: readonly QuestionOption[];
}

/** The arguments of `question`. */
export interface QuestionInput {
  readonly questions: readonly QuestionItem[];
}

/** Characters and counts that fit a screen. */
export const QUESTION_LIMITS = { questions: 4, header: 16, options: 16, label: 60, text: 4000 } as const;
