/** How programs are confined on this machine. */
export type Mechanism = "bubblewrap" | "seatbelt" | "none";

/** What the mechanism holds back. Less than all three is not enough for a program that nobody vouches for. */
export interface Confinement {
  readonly files: boolean;
  readonly network: boolean;
  /** True if no process outlives its call, and none outside can be seen or signalled. */
  readonly processes: boolean;
}
