import type { JsonValue, ToolContext } from "@ashlar/context/tool";
import { openJobsFolder } from "../folder/jobs-folder.js";
import { JobsError } from "../jobs-error.js";
import type { JobScheduleInput } from "./job-schedule-input.js";
import { performSchedule, type ScheduleCommand } from "./schedule-command.js";

/** Looks at task files or changes them, for an agent. Throws kind `usage` where it may not. */
export async function jobSchedule(input: JobScheduleInput, context: ToolContext): Promise<JsonValue> {
  const { env, agent, canWrite = false } = context;
  if (agent.folder !== env.cwd) {
    throw usage(
      "action",
      `tasks belong to the whole project; an agent that works in a part of it (${agent.folder}) leaves them alone`,
    );
  }
  const command = commandOf(input);
  if (!canWrite && command.action !== "list" && command.action !== "read") {
    throw usage("action", `${command.action} changes task files, and this agent may only read`);
  }
  const { tasks, text } = await performSchedule(await openJobsFolder(env.cwd), command);
  if (tasks !== undefined) return { tasks: tasks.map((task) => ({ ...task })) };
  const said = DONE[command.action];
  return { ...(said !== undefined && { result: said }), ...(text !== undefined && { text }) };
}

const DONE: Readonly<Record<string, string>> = {
  create: "The task is written; a scheduler of the user's runs it when it is due.",
  update: "The task is changed.",
  remove: "The task is removed.",
};

function commandOf({ action, filename, prompt, enabled, schedule }: JobScheduleInput): ScheduleCommand {
  if (action === "list") return { action };
  if (filename === undefined) throw usage("filename", `${action} needs a filename, such as report.md`);
  if (action === "read" || action === "remove") return { action, filename };
  const fields = {
    ...(enabled !== undefined && { enabled }),
    ...(schedule !== undefined && { schedule: plain(schedule) }),
  };
  if (action === "update") return { action, filename, ...fields, ...(prompt !== undefined && { prompt }) };
  if (prompt === undefined) throw usage("prompt", "create needs a prompt: what the task is to do");
  return { action, filename, prompt, ...fields };
}

/** Members that were sent as nothing are not written. */
function plain(schedule: NonNullable<JobScheduleInput["schedule"]>): unknown {
  if (typeof schedule === "string") return schedule;
  return Object.fromEntries(
    Object.entries(schedule).filter(([, value]) => value !== undefined && value !== null),
  );
}

function usage(argument: string, message: string): JobsError<"usage"> {
  return new JobsError("usage", message, { argument });
}
