/** What a sandboxed program may do. Plain data; every path is absolute. Where paths nest, the longer one decides. */
export interface SandboxPolicy {
  /** Existing folders that may be written to. Everything else is read-only. */
  readonly writeRoots: readonly string[];
  /** Paths that stay read-only inside a write root. One that does not exist yet cannot be created. */
  readonly readOnly?: readonly string[];
  /** Paths that show nothing: a folder is empty, a file reads as empty. Missing ones are passed over. */
  readonly hidden?: readonly string[];
  /** Paths that stay visible, read-only, below a folder that is hidden or replaced (`/tmp`, `/var/tmp`, `/run`). */
  readonly readable?: readonly string[];
  /** `none`: only a loopback of its own. `full`: the host's network. Unix sockets of the host are closed either way. */
  readonly network: "none" | "full";
  /** The whole environment of the program; nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  /** An existing folder that is visible inside. */
  readonly cwd: string;
  readonly limits: SandboxLimits;
}

export interface SandboxLimits {
  /** From the program's start to its forced end; null: until it ends or is cancelled. */
  readonly timeMs: number | null;
  /** Kept of stdout and of stderr each, head and tail; the rest is counted and dropped. */
  readonly outputBytes: number;
  /** The largest file that may be written. */
  readonly fileBytes: number;
  /** Resident memory of all its processes together. Default: no limit. */
  readonly memoryBytes?: number;
  /** Processes and threads together. Default 1,024. */
  readonly processes?: number;
  /** Size of each private temporary folder, held in memory. Default 512 MiB. */
  readonly temporaryBytes?: number;
}

export const DEFAULT_PROCESSES = 1024;
export const DEFAULT_TEMPORARY_BYTES = 512 * 1024 * 1024;
