import type { ToolDescriptions } from "@ashlar/context/tool";
import { jobSchedule } from "../command/job-schedule.js";
import { jobScheduleInputSchema } from "../generated/job-schedule-input-schema.js";

export { jobSchedule as "job-schedule" };

const DESCRIPTION = `List, read, create, update or remove the tasks of this project, which run later without anybody watching. It runs none itself. update keeps what it is not given. Example: {"action": "create", "filename": "report.md", "prompt": "Write the week's changes into REPORT.md.", "schedule": {"at": ["07:00"], "days": "weekdays"}}`;

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
