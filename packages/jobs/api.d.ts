// @ashlar/jobs
//   Attempt
//   AttemptEnd
//   Claim
//   Clock
//   DaemonEnd
//   DaemonOptions
//   JobState
//   JobsError
//   JobsErrorDetails
//   JobsErrorKind
//   JobsRunOptions
//   JobsStatus
//   ListedTask
//   Outcome
//   Problem
//   RejectedFile
//   RunRecord
//   ScanRecord
//   Schedule
//   ScheduleCommand
//   ScheduleResult
//   StatusOptions
//   Task
//   TaskBudget
//   TaskFields
//   TaskFile
//   TaskFiles
//   TaskHistory
//   TaskStatus
//   TimeOptions
//   createFileClock
//   daemonRun
//   disable
//   init
//   isJobsError
//   run
//   schedule
//   status
//   validate
// @ashlar/jobs/tools
//   toolsRoot

interface AtSchedule {
    readonly kind: "at";
    readonly minutes: readonly number[];
    readonly days?: readonly Weekday[];
    readonly timezone?: string;
}
interface Attempt {
    readonly id: string;
    readonly occurrence: string;
    readonly slot: string;
    readonly taskId: string;
    readonly filename: string;
    readonly once: boolean;
    readonly scheduledAt: number;
    readonly claimedAt: number;
    readonly session: string;
    readonly timeoutMs?: number;
}
interface AttemptEnd {
    readonly outcome: Outcome;
    readonly endedAt: number;
    readonly archive?: string;
    readonly error?: string;
    readonly exitCode?: number;
}
interface Claim {
    readonly attempt: Attempt;
    readonly number: string;
}
interface Clock {
    readonly now: () => number;
    readonly file?: string;
}
interface CronSchedule {
    readonly kind: "cron";
    readonly cron: string;
    readonly timezone?: string;
}
type DaemonEnd = "cancelled" | "disabled";
interface DaemonOptions extends JobsRunOptions {
    readonly onScan?: (record: ScanRecord) => void;
}
interface Due {
    readonly filename: string;
    readonly slot: string;
    readonly scheduledAt: number;
}
interface EverySchedule {
    readonly kind: "every";
    readonly every: string;
    readonly milliseconds: number;
    readonly days?: readonly Weekday[];
    readonly timezone?: string;
}
interface JobState {
    readonly anchor: (taskId: string, schedule: string, now: number) => Promise<number>;
    readonly seen: (taskId: string, schedule: string) => Promise<number | undefined>;
    readonly history: (taskId: string) => Promise<TaskHistory>;
    readonly claim: (attempt: Attempt) => Promise<Claim | undefined>;
    readonly finish: (claim: Claim, end: AttemptEnd) => Promise<void>;
    readonly lost: (now: number) => Promise<readonly Claim[]>;
    readonly list: (limit: number) => Promise<readonly RunRecord[]>;
    readonly prune: (taskIds: ReadonlySet<string>, now: number) => Promise<void>;
}
class JobsError<Kind extends JobsErrorKind = JobsErrorKind> extends AshlarError<Kind, JobsErrorDetails[Kind]> {
    constructor(kind: Kind, message: string, details: JobsErrorDetails[Kind], options?: {
        readonly cause?: unknown;
    });
}
interface JobsErrorDetails {
    usage: {
        readonly argument?: string;
    };
    disabled: {
        readonly folder: string;
    };
    layout: {
        readonly path: string;
    };
    task: {
        readonly file: string;
    };
    missing: {
        readonly file: string;
    };
    exists: {
        readonly file: string;
    };
    storage: {
        readonly path?: string;
        readonly code?: string;
    };
}
type JobsErrorKind = keyof JobsErrorDetails;
interface JobsRunOptions extends StatusOptions {
    readonly withEnv?: (work: (env: AgentEnv) => Promise<void>) => Promise<void>;
    readonly model?: string;
    readonly signal?: AbortSignal;
    readonly onRun?: (record: RunRecord) => void;
}
interface JobsStatus {
    readonly enabled: boolean;
    readonly now: string;
    readonly zone: string;
    readonly tasks: readonly TaskStatus[];
    readonly rejected: readonly RejectedFile[];
    readonly runs: readonly RunRecord[];
    readonly lastScan?: unknown;
}
interface ListedTask {
    readonly filename: string;
    readonly enabled: boolean;
    readonly schedule: string;
    readonly problem?: string;
}
interface OnceSchedule {
    readonly kind: "once";
}
type Outcome = "completed" | "failed" | "blocked" | "cancelled" | "timed-out" | "interrupted" | "archive-unconfirmed" | "stale";
interface Problem {
    readonly filename?: string;
    readonly message: string;
}
interface RejectedFile {
    readonly filename: string;
    readonly problem: string;
}
interface RunRecord extends Claim {
    readonly end?: AttemptEnd;
}
interface ScanRecord {
    readonly version: 1;
    readonly at: number;
    readonly endedAt: number;
    readonly due: number;
    readonly running: number;
    readonly outcomes: readonly RunRecord[];
    readonly errors: readonly Problem[];
    readonly warnings: readonly Problem[];
}
type Schedule = OnceSchedule | EverySchedule | AtSchedule | CronSchedule;
type ScheduleCommand = {
    readonly action: "list";
} | {
    readonly action: "read";
    readonly filename: string;
} | ({
    readonly action: "create";
    readonly filename: string;
    readonly prompt: string;
} & TaskFields) | ({
    readonly action: "update";
    readonly filename: string;
} & TaskFields) | {
    readonly action: "remove";
    readonly filename: string;
};
interface ScheduleResult {
    readonly tasks?: readonly ListedTask[];
    readonly text?: string;
}
interface StatusOptions extends TimeOptions {
    readonly state?: JobState;
}
interface Task {
    readonly id: string;
    readonly filename: string;
    readonly prompt: string;
    readonly enabled: boolean;
    readonly schedule: Schedule;
    readonly tools?: readonly string[];
    readonly timeoutMs?: number;
    readonly model?: string;
    readonly budget?: TaskBudget;
    readonly network?: "none";
}
interface TaskBudget {
    readonly requests?: number;
    readonly tokens?: number;
    readonly duration?: number;
    readonly cost?: number;
    readonly depth?: number;
    readonly width?: number;
    readonly repeats?: number;
}
interface TaskFields {
    readonly prompt?: string;
    readonly enabled?: boolean;
    readonly schedule?: unknown;
}
interface TaskFile {
    readonly task: Task;
    readonly text: string;
    readonly slot: string;
    readonly since: number;
    readonly notes: readonly string[];
}
interface TaskFiles {
    readonly tasks: readonly TaskFile[];
    readonly rejected: readonly RejectedFile[];
}
interface TaskHistory {
    readonly newest?: number;
    readonly slots: ReadonlySet<string>;
    readonly open: ReadonlySet<string>;
}
type TaskStanding = {
    readonly kind: "disabled";
    readonly next: undefined;
} | {
    readonly kind: "due";
    readonly due: Due;
    readonly next: number | undefined;
} | {
    readonly kind: "running";
    readonly next: number | undefined;
} | {
    readonly kind: "waiting";
    readonly next: number | undefined;
} | {
    readonly kind: "ahead";
    readonly until: number;
    readonly next: undefined;
};
interface TaskStatus {
    readonly filename: string;
    readonly id: string;
    readonly schedule: string;
    readonly standing: TaskStanding["kind"];
    readonly next?: string;
}
interface TimeOptions {
    readonly clock?: Clock;
    readonly zone?: string;
}
type Weekday = 0 | 1 | 2 | 3 | 4 | 5 | 6;
function createFileClock(file: string): Clock;
function daemonRun(root: string, options?: DaemonOptions): Promise<DaemonEnd>;
function disable(root: string): Promise<boolean>;
function init(root: string): Promise<"created" | "restored" | "present">;
function isJobsError(value: unknown): value is JobsError;
function run(root: string, options?: JobsRunOptions): Promise<ScanRecord>;
function schedule(root: string, command: ScheduleCommand): Promise<ScheduleResult>;
function status(root: string, options?: StatusOptions): Promise<JobsStatus>;
const toolsRoot: string;
function validate(root: string): Promise<TaskFiles>;
