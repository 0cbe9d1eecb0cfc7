import { readdirSync, readFileSync } from "node:fs";

/** `O_CLOEXEC` in the flags of `/proc/self/fdinfo`. */
const CLOSE_ON_EXEC = 0o2000000;
const LAST_STANDARD = 2;

const survivesExec = (descriptor: number): boolean => {
  try {
    const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, "utf8"))?.[1];
    return flags !== undefined && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // The descriptor of the listing itself is gone by now.
    return false;
  }
};

/**
 * Descriptors that a child of this process would inherit although nobody passes them on: those that its own parent
 * left open. Node marks the ones it opens, and the first 16, but not what lies behind a gap.
 */
export const inheritedDescriptors = (): readonly number[] =>
  readdirSync("/proc/self/fd")
    .map(Number)
    .filter((descriptor) => descriptor > LAST_STANDARD && survivesExec(descriptor));
