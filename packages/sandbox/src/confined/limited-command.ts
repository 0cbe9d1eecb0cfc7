/**
 * Sets the limits that a shell can set, then becomes the program. Shells name the process limit differently; a limit
 * that fails is a lower one of the host's, or seen when the sandbox is looked at from the inside.
 */
const LIMITER = `ulimit -c 0
ulimit -f "$1" 2>/dev/null
ulimit -u "$2" 2>/dev/null || ulimit -p "$2" 2>/dev/null
shift 2
exec "$@"`;

export const FILE_BLOCK_BYTES = 512;

/** The command that bubblewrap starts: the limits, then `program`. */
export function limitedCommand(
  program: readonly string[],
  limits: { readonly fileBytes: number; readonly processes: number },
): readonly string[] {
  const blocks = Math.floor(limits.fileBytes / FILE_BLOCK_BYTES);
  return ["/bin/sh", "-c", LIMITER, "sh", String(blocks), String(limits.processes), ...program];
}
