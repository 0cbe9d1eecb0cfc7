import type { JsonValue, ToolContext, ToolDescriptions } from "@ashlar/context/tool";
import type { JobScheduleInput } from "../command/job-schedule-input.js";
import { jobScheduleInputSchema } from "../generated/job-schedule-input-schema.js";

const DESCRIPTION = `List, read, create, update or remove the tasks of this project, which run later without anybody watching. It runs none itself. update keeps what it is not given. Example: {"action": "create", "filename": "report.md", "prompt": "Write the week's changes into REPORT.md.", "schedule": {"at": ["07:00"], "days": "weekdays"}}`;

/** What a task is made of loads with the first call: most agents never make one. */
async function schedule(input: JobScheduleInput, context: ToolContext): Promise<JsonValue> {
  const { jobSchedule } = await import("../command/job-schedule.js");
  return jobSchedule(input, context);
}

export { schedule as "job-schedule" };

export function toolDescription(): ToolDescriptions {
  return {
    "job-schedule": {
      // In the sandbox the task files cannot be changed; this is the one door to them, and it refuses an agent that may only read.
      safe: true,
      trusted: true,
      description: DESCRIPTION,
      inputSchema: jobScheduleInputSchema,
    },
  };
}
