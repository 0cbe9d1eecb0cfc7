/** Architectures that the filter is made for, as Node names them. */
export type Architecture = "x64" | "arm64";

/** `AUDIT_ARCH_*` of linux/audit.h. */
export const AUDIT_ARCHITECTURE: Readonly<Record<Architecture, number>> = {
  x64: 0xc000003e,
  arm64: 0xc00000b7,
};

/** The last system call this table knows of (Linux 6.17); later ones do not exist for the program. */
export const LAST_KNOWN_CALL = 469;

/** From here on x64 numbers mean the x32 interface, which would get round every number in the table. */
export const X32_CALLS = 0x40000000;

/** Number on x64, number on arm64; null where the architecture has no such call. */
type Numbers = readonly [x64: number | null, arm64: number | null];

/** Refused whatever the arguments: other processes' memory, keys, mounts, namespaces, kernel state. */
export const REFUSED: Readonly<Record<string, Numbers>> = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  unshare: [272, 97],
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  bpf: [321, 280],
  userfaultfd: [323, 282],
  perf_event_open: [298, 241],
  fanotify_init: [300, 262],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  syslog: [103, 116],
  ioperm: [173, null],
  iopl: [172, null],
  modify_ldt: [154, null],
  lookup_dcookie: [212, 18],
  nfsservctl: [180, 42],
  vhangup: [153, 58],
  sethostname: [170, 161],
  setdomainname: [171, 162],
};

/** Answered as unknown to the kernel, so that programs take the older call, whose arguments can be checked. */
export const UNKNOWN: Readonly<Record<string, Numbers>> = {
  clone3: [435, 435],
  openat2: [437, 437],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
};

/** Allowed or refused by their arguments. */
export const CHECKED = {
  clone: [56, 220],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  chmod: [90, null],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  open: [2, null],
  creat: [85, null],
  openat: [257, 56],
  mknod: [133, null],
  mknodat: [259, 33],
} as const satisfies Record<string, Numbers>;

/** The call's number, or undefined where the architecture has none. */
export const numberOn = (architecture: Architecture, [x64, arm64]: Numbers): number | undefined =>
  (architecture === "x64" ? x64 : arm64) ?? undefined;
