import {
  answer,
  encode,
  type Instruction,
  ifAnyBit,
  ifAtLeast,
  ifEqual,
  loadArchitecture,
  loadArgument,
  loadNumber,
  mask,
} from "./instruction.js";
import {
  type Architecture,
  AUDIT_ARCHITECTURE,
  CHECKED,
  LAST_KNOWN_CALL,
  numberOn,
  REFUSED,
  UNKNOWN,
  X32_CALLS,
} from "./system-calls.js";

/** What the kernel does with a call: `SECCOMP_RET_*`, with the errno in the low half. */
export const ACTION = {
  allow: 0x7fff0000,
  refuse: 0x00050001,
  unknown: 0x00050026,
  kill: 0x80000000,
} as const;

/** `CLONE_NEW*` of mount, cgroup, uts, ipc, user, pid and network namespaces. */
const NEW_NAMESPACES = 0x7e020000;
const SET_ID_BITS = 0o6000;
/** `O_CREAT` and `O_TMPFILE`: without them the mode argument is not read. */
const CREATES = 0o100 | 0o20000000;
const FILE_TYPE = 0o170000;
const CHARACTER_DEVICE = 0o020000;
const BLOCK_DEVICE = 0o060000;
/** Pushing input into a terminal. */
const TIOCSTI = 0x5412;
const TIOCLINUX = 0x541c;
const AF_UNIX = 1;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const NETLINK_ROUTE = 0;
const SOCK_STREAM = 1;
const SOCK_SEQPACKET = 5;
const SOCKET_TYPE = 0xf;

const refuse = (): Instruction => answer(ACTION.refuse);
const allow = (): Instruction => answer(ACTION.allow);

/** Set-user-id and set-group-id files would give their rights to whoever starts them outside. */
const modeWithoutSetId = (argument: number): readonly Instruction[] => [
  loadArgument(argument),
  ifAnyBit(SET_ID_BITS, 0, 1),
  refuse(),
  allow(),
];

const openWithoutSetId = (flags: number, mode: number): readonly Instruction[] => [
  loadArgument(flags),
  ifAnyBit(CREATES, 0, 3),
  ...modeWithoutSetId(mode),
];

const nodeWithoutDevice = (mode: number): readonly Instruction[] => [
  loadArgument(mode),
  ifAnyBit(SET_ID_BITS, 3, 0),
  mask(FILE_TYPE),
  ifEqual(CHARACTER_DEVICE, 1, 0),
  ifEqual(BLOCK_DEVICE, 0, 1),
  refuse(),
  allow(),
];

/** Each body ends in an answer on every path. */
const BODIES: Readonly<Record<keyof typeof CHECKED, readonly Instruction[]>> = {
  clone: [loadArgument(0), ifAnyBit(NEW_NAMESPACES, 0, 1), refuse(), allow()],
  ioctl: [loadArgument(1), ifEqual(TIOCSTI, 1, 0), ifEqual(TIOCLINUX, 0, 1), refuse(), allow()],
  // Internet sockets, and netlink only for the routing tables that programs list interfaces with.
  socket: [
    loadArgument(0),
    ifEqual(AF_INET, 5, 0),
    ifEqual(AF_INET6, 4, 0),
    ifEqual(AF_NETLINK, 0, 2),
    loadArgument(2),
    ifEqual(NETLINK_ROUTE, 1, 0),
    refuse(),
    allow(),
  ],
  // A datagram pair could be connected anew to a socket of the host; a stream pair cannot.
  socketpair: [
    loadArgument(0),
    ifEqual(AF_UNIX, 0, 4),
    loadArgument(1),
    mask(SOCKET_TYPE),
    ifEqual(SOCK_STREAM, 2, 0),
    ifEqual(SOCK_SEQPACKET, 1, 0),
    refuse(),
    allow(),
  ],
  chmod: modeWithoutSetId(1),
  fchmod: modeWithoutSetId(1),
  fchmodat: modeWithoutSetId(2),
  fchmodat2: modeWithoutSetId(2),
  open: openWithoutSetId(1, 2),
  creat: modeWithoutSetId(1),
  openat: openWithoutSetId(2, 3),
  mknod: nodeWithoutDevice(1),
  mknodat: nodeWithoutDevice(2),
};

/** Falls through, with the number still loaded, when it is another call. */
const when = (call: number | undefined, body: readonly Instruction[]): readonly Instruction[] =>
  call === undefined ? [] : [ifEqual(call, 0, body.length), ...body];

/** The filter as a program: expects `struct seccomp_data`, answers one of `ACTION`. */
export function filterProgram(architecture: Architecture): readonly Instruction[] {
  const numberOf = (numbers: readonly [number | null, number | null]): number | undefined =>
    numberOn(architecture, numbers);
  // A cast because Object.entries widens the keys.
  const bodies = Object.entries(BODIES) as [keyof typeof CHECKED, readonly Instruction[]][];
  return [
    loadArchitecture(),
    ifEqual(AUDIT_ARCHITECTURE[architecture], 1, 0),
    answer(ACTION.kill),
    loadNumber(),
    ifAtLeast(X32_CALLS, 1, 0),
    ifAtLeast(LAST_KNOWN_CALL + 1, 0, 1),
    answer(ACTION.unknown),
    ...Object.values(REFUSED).flatMap((numbers) => when(numberOf(numbers), [refuse()])),
    ...Object.values(UNKNOWN).flatMap((numbers) => when(numberOf(numbers), [answer(ACTION.unknown)])),
    ...bodies.flatMap(([name, body]) => when(numberOf(CHECKED[name]), body)),
    allow(),
  ];
}

/** The filter as the kernel takes it. */
export const seccompFilter = (architecture: Architecture): Uint8Array => encode(filterProgram(architecture));
