import { z } from "zod";
import type { TaskHeader } from "../src/task/task-header.js";

export const contract = { version: 1, runtime: false, title: "The frontmatter of a task file" };

const names = z.union([z.string(), z.array(z.string())]);
const whole = (least: number): z.ZodInt => z.int().min(least);

export const schema: z.ZodType<TaskHeader> = z.strictObject({
  id: z
    .string()
    .max(120)
    .regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]*$/)
    .optional()
    .describe(
      "Names the task's history, also when its file gets another name. Default: the name of the file.",
    ),
  enabled: z.boolean().optional().describe("False: nothing of it runs. Default true."),
  schedule: z
    .union([
      z.string().describe("`once`, `every 30m`, `at 07:00, 19:30` or `cron 0 7 * * *`."),
      z.strictObject({
        every: z.string().optional().describe("A whole number and m, h, d or w: real time between runs."),
        at: names.optional().describe("Times of day as HH:MM, or HH:MM GMT; all of one kind."),
        cron: z.string().optional().describe("Minute, hour, day, month and weekday."),
        days: names.optional().describe("weekdays, weekends or names such as mon; goes with every and at."),
        timezone: z.string().optional().describe("IANA name. Default: the zone of the machine."),
      }),
    ])
    .optional()
    .describe("When it is due: exactly one of every, at and cron. Default `once`."),
  tools: z
    .array(z.string())
    .optional()
    .describe("The tools it may use. Default: all but job-schedule and those of workers."),
  timeout: z.string().optional().describe("Limit of the whole job, such as 90s, 30m, 2h, 1d or 1w."),
  model: z.string().optional().describe("`endpoint/model`. Default: the caller's, then the project's."),
  budget: z
    .strictObject({
      requests: whole(1).optional(),
      tokens: whole(1).optional(),
      duration: z.union([z.number().positive(), z.string()]).optional(),
      cost: z.number().positive().optional(),
      depth: whole(0).optional(),
      width: whole(0).optional(),
      repeats: whole(2).optional(),
    })
    .optional()
    .describe("Limits that count where they are below those of the settings."),
  network: z.literal("none").optional().describe("Nothing that it runs reaches a network."),
});
