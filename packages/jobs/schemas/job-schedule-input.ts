import { z } from "zod";
import type { JobScheduleInput } from "../src/command/job-schedule-input.js";

const names = z.union([z.string(), z.array(z.string())]);

export const schema: z.ZodType<JobScheduleInput> = z.strictObject({
  action: z.enum(["list", "read", "create", "update", "remove"]).describe("What to do."),
  filename: z.string().optional().describe("Name of the task's file, such as report.md; for all but list."),
  prompt: z
    .string()
    .min(1)
    .optional()
    .describe("What the task is to do; the agent that does it knows nothing else."),
  enabled: z.boolean().optional().describe("False: it waits until it is enabled. Default true."),
  schedule: z
    .union([
      z.string(),
      z.strictObject({
        every: z.string().optional().describe("An interval: a whole number and m, h, d or w, such as 30m."),
        at: names.optional().describe('Times of day, such as ["07:00", "19:30"].'),
        cron: z.string().optional().describe('Five fields, such as "0 7 * * 1-5".'),
        days: names
          .optional()
          .describe("weekdays, weekends, or a list of sun, mon, tue, wed, thu, fri, sat."),
        timezone: z.string().optional().describe("An IANA name, such as Europe/Berlin."),
      }),
    ])
    .optional()
    .describe('"once" (the default), "every 30m", or exactly one of every, at and cron.'),
});
