/** How a tool's process came to its end. */
export interface ProcessEnd {
  /** `memory`: it used more than it may. `ended`: its host ended it. */
  readonly outcome: "exited" | "memory" | "ended";
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What it printed on standard error, the beginning at least. */
  readonly stderr: string;
}

/** The host's side of one process in which a tool runs. */
export interface ToolProcess {
  /** Throws when the process has ended, or when JSON cannot hold the message. */
  readonly send: (message: unknown) => void;
  /** Messages go to the listener that was given last. */
  readonly listen: (listener: (message: unknown) => void) => void;
  /** Resolves when nothing of it is left. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  readonly isOver: () => boolean;
  /** Ends it and everything it started. */
  readonly end: () => Promise<ProcessEnd>;
  /** Lets this process end while that one waits. */
  readonly unref: () => void;
  readonly ref: () => void;
}

const SHOWN_CHARACTERS = 300;

/** What is said of a process that ended without a result. */
export function endText({ outcome, exitCode, signal, stderr }: ProcessEnd): string {
  if (outcome === "memory")
    return "The tool's process was ended because it used more memory than the setting sandbox.memoryBytes allows.";
  const how = signal === null ? `ended with code ${exitCode ?? "unknown"}` : `was ended by ${signal}`;
  const line = stderr.split("\n").find((text) => text.trim() !== "");
  const said = line === undefined ? "" : ` It printed: ${line.trim().slice(0, SHOWN_CHARACTERS)}`;
  return `The tool's process ${how} before it gave a result.${said}`;
}
