/** How programs are confined on this machine. */
export type Mechanism = "bubblewrap" | "seatbelt" | "none";

/** What the mechanism holds back. Less than all three is not enough for a program nobody vouches for. */
export interface Confinement {
  readonly files: boolean;
  readonly network: boolean;
  /** True if no process outlives its call, and none outside can be seen or signalled. */
  readonly processes: boolean;
}

/** What a real start of the whole profile on this machine has shown. */
export interface Probe {
  readonly mechanism: Mechanism;
  readonly confines: Confinement;
  /** The mechanism's program and version; absent for `none`. */
  readonly program?: string;
  readonly version?: string;
  /** For `none`: exactly why, and what to do about it, each in one or two plain sentences. */
  readonly reason?: string;
  readonly remedy?: string;
}

export interface ProbeOptions {
  /** Read for `PATH` and `ASHLAR_OS_SANDBOX` (`none` forbids every sandbox; nothing widens one). Default: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Starts the hardened profile once and looks at it from the inside. Cached for the process; never rejects. */
export async function probe(_options: ProbeOptions = {}): Promise<Probe> {
  return {
    mechanism: "none",
    confines: { files: false, network: false, processes: false },
    reason: "No mechanism has been tried.",
    remedy: "Nothing can be done yet.",
  };
}
