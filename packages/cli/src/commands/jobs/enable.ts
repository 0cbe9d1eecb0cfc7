import { disable, init } from "@ashlar/jobs";
import type { Terminal } from "../../terminal.js";

const INIT_TEXT = {
  created: "made ai-jobs; write a task into ai-jobs/tasks, such as hello.md\n",
  restored: "enabled ai-jobs again\n",
  present: "ai-jobs is enabled already\n",
};

/** Makes the project's jobs folder, or enables it again. */
export async function initJobsCommand(terminal: Terminal): Promise<number> {
  terminal.out.write(INIT_TEXT[await init(terminal.cwd)]);
  return 0;
}

export async function disableJobsCommand(terminal: Terminal): Promise<number> {
  const wasEnabled = await disable(terminal.cwd);
  terminal.out.write(
    wasEnabled ? "disabled: ai-jobs is ai-jobs-disabled now\n" : "jobs are disabled already\n",
  );
  return 0;
}
