import type { InsideReport } from "../linux/inside-report.js";

/** How to start the first program of a sandbox, whatever the mechanism. */
export interface Launch {
  readonly command: readonly string[];
  /** What the mechanism reads from descriptors beyond ours: descriptor to content. */
  readonly feeds: ReadonlyMap<number, Uint8Array>;
  /** Descriptors that must be there and read as empty. */
  readonly emptyDescriptors: readonly number[];
  /** Where the mechanism tells the number of the process whose end ends all others; none: the process group is ended. */
  readonly statusDescriptor?: number;
  /** Empty if what the first program saw is what was asked for. */
  readonly problems: (report: InsideReport) => readonly string[];
  /** Gives back what the start took, once all processes are gone. */
  readonly release: () => Promise<void>;
}
