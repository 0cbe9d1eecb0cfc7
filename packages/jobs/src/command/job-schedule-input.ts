/** When a task is due, as a model writes it. */
export type ScheduleInput =
  | string
  | {
      readonly every?: string | undefined;
      readonly at?: string | readonly string[] | undefined;
      readonly cron?: string | undefined;
      readonly days?: string | readonly string[] | undefined;
      readonly timezone?: string | undefined;
    };

/** The arguments of `job-schedule`. */
export interface JobScheduleInput {
  readonly action: "list" | "read" | "create" | "update" | "remove";
  readonly filename?: string | undefined;
  readonly prompt?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly schedule?: ScheduleInput | undefined;
}
