import type { ResolvedPolicy } from "../policy/mount-plan.js";

/** What the profile is made of; all paths are real ones. */
export type SeatbeltPaths = Pick<
  ResolvedPolicy,
  "writeRoots" | "readOnly" | "reserved" | "hiddenFolders" | "hiddenFiles" | "readable"
>;

/** A text of the profile language: only backslash, quote and newline mean something in it. */
export const quote = (text: string): string =>
  `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n").replace(/\r/g, "\\r").replace(/\t/g, "\\t")}"`;

const rule = (
  verdict: "allow" | "deny",
  operations: string,
  filters: readonly string[],
): readonly string[] => (filters.length === 0 ? [] : [`(${verdict} ${operations} ${filters.join(" ")})`]);

const below = (paths: readonly string[]): readonly string[] =>
  paths.map((path) => `(subpath ${quote(path)})`);
const exactly = (paths: readonly string[]): readonly string[] =>
  paths.map((path) => `(literal ${quote(path)})`);

/** The folders above a pin: moved away, they would take the pin along. */
function ancestorsInRoots(pins: readonly string[], roots: readonly string[]): readonly string[] {
  const folders = pins.flatMap((pin) => {
    const parts = pin.split("/");
    return parts.slice(2).map((_part, index) => parts.slice(0, index + 2).join("/"));
  });
  return [...new Set(folders)].filter((folder) => roots.some((root) => folder.startsWith(`${root}/`)));
}

const BASE = [
  "(version 1)",
  "(deny default)",
  "(allow process-exec)",
  "(allow process-fork)",
  "(allow signal (target same-sandbox))",
  "(allow process-info* (target same-sandbox))",
  "(allow sysctl-read)",
  "(allow ipc-posix-sem)",
  "(allow pseudo-tty)",
  "(allow file-read*)",
  '(allow file-write-data (literal "/dev/null") (literal "/dev/zero") (literal "/dev/dtracehelper"))',
  '(allow file-ioctl (regex #"^/dev/tty") (literal "/dev/ptmx"))',
  '(allow file-write* (regex #"^/dev/ttys[0-9]+$") (literal "/dev/ptmx"))',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo") (global-name "com.apple.system.logger"))',
];

const NETWORK = [
  "(allow network-outbound (remote ip))",
  "(allow network-inbound (local ip))",
  "(allow network-bind (local ip))",
  "(allow system-socket)",
  '(allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  '(allow mach-lookup (global-name "com.apple.SystemConfiguration.configd") (global-name "com.apple.trustd.agent") (global-name "com.apple.networkd"))',
];

/** Later rules win, so what is taken away comes last. */
export function seatbeltProfile(paths: SeatbeltPaths, network: "none" | "full"): string {
  const pins = [...paths.readOnly, ...paths.reserved];
  const hidden = [...below(paths.hiddenFolders), ...exactly(paths.hiddenFiles)];
  return [
    ...BASE,
    ...rule("allow", "file-write*", below(paths.writeRoots)),
    ...rule("deny", "file-write*", below(pins)),
    ...rule("deny", "file-write-unlink file-write-create", exactly(ancestorsInRoots(pins, paths.writeRoots))),
    ...rule("deny", "file-read* file-write*", hidden),
    ...rule("allow", "file-read*", below(paths.readable)),
    ...(network === "full" ? NETWORK : []),
    "",
  ].join("\n");
}
