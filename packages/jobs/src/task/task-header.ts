/** The frontmatter of a task file, as it is written. */
export interface TaskHeader {
  readonly id?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly schedule?:
    | string
    | {
        readonly every?: string | undefined;
        readonly at?: string | readonly string[] | undefined;
        readonly cron?: string | undefined;
        readonly days?: string | readonly string[] | undefined;
        readonly timezone?: string | undefined;
      }
    | undefined;
  readonly tools?: readonly string[] | undefined;
  readonly timeout?: string | undefined;
  readonly model?: string | undefined;
  readonly budget?:
    | {
        readonly requests?: number | undefined;
        readonly tokens?: number | undefined;
        readonly duration?: number | string | undefined;
        readonly cost?: number | undefined;
        readonly depth?: number | undefined;
        readonly width?: number | undefined;
        readonly repeats?: number | undefined;
      }
    | undefined;
  readonly network?: "none" | undefined;
}
