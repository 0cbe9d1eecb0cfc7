import type { Identity } from "./identity.js";

export type Who = Identity["name"];

/** A way out that is closed. `by`: what the kernel answers, or why there was nothing to find. */
export interface Row {
  readonly row: string;
  readonly attempt: string;
  readonly by: RegExp;
  /** Why it cannot be tried under this identity. */
  readonly notFor?: Partial<Record<Who, string>>;
}

const NOTHING = /nothing there/;
export const ROWS: readonly Row[] = [
  { row: "a file outside, by its absolute path", attempt: "absolute_path", by: /EROFS/ },
  { row: "a file outside, through parent folders", attempt: "parent_folders", by: /EROFS/ },
  { row: "a file outside, through a symbolic link made inside", attempt: "symbolic_link", by: /EROFS/ },
  { row: "a file outside, through /proc/self/root", attempt: "own_root", by: /EROFS/ },
  {
    row: "a file outside, through the root of the first process",
    attempt: "root_of_first_process",
    by: /EROFS|EACCES/,
  },
  { row: "a start-up file of the user", attempt: "startup_file", by: /EROFS/ },
  { row: "moving the project away", attempt: "move_project", by: /EROFS|EBUSY/ },
  { row: "a hard link to a file outside", attempt: "new_hard_link", by: /EXDEV/ },
  {
    row: "a file outside, through the root of a host process",
    attempt: "root_of_host_process",
    by: /ENOENT|EACCES/,
  },
  { row: "a hook of git", attempt: "git_hook", by: /EROFS/ },
  { row: "the configuration of git", attempt: "git_config", by: /EROFS/ },
  { row: "renaming .git away and making it anew", attempt: "move_git_away", by: /EBUSY/ },
  { row: "a pinned folder that did not exist", attempt: "missing_pin_made", by: /EROFS/ },
  {
    row: "a pinned file that did not exist, renamed into place",
    attempt: "missing_pin_renamed_into",
    by: /EBUSY|EISDIR|ENOTDIR/,
  },
  { row: "swapping the place of a pinned folder", attempt: "missing_pin_folder_replaced", by: /EBUSY/ },
  { row: "keys of ssh", attempt: "read_ssh_keys", by: /ENOENT/ },
  { row: "a hidden credential file", attempt: "read_netrc", by: NOTHING },
  { row: "writing into a hidden folder", attempt: "write_hidden_folder", by: /EROFS/ },
  { row: "the host's shared memory files", attempt: "shared_memory_file", by: NOTHING },
  { row: "the host's temporary files", attempt: "temporary_file", by: NOTHING },
  { row: "mounting a file system", attempt: "mount_tmpfs", by: /EPERM/ },
  { row: "mounting the root writable", attempt: "remount_root", by: /EPERM/ },
  { row: "unmounting what covers /run", attempt: "unmount_covers", by: /EPERM/ },
  { row: "mounting control groups for their release agent", attempt: "mount_control_groups", by: /EPERM/ },
  { row: "the mounted control groups", attempt: "write_control_groups", by: NOTHING },
  { row: "a file outside, by its handle", attempt: "open_by_handle", by: /EPERM/ },
  { row: "making a device", attempt: "make_device", by: /EPERM/ },
  { row: "making the disk", attempt: "make_disk", by: /EPERM/ },
  { row: "opening the disk", attempt: "open_disk", by: /ENOENT/ },
  { row: "/proc/sys/kernel/core_pattern", attempt: "core_pattern", by: /EROFS|EACCES/ },
  { row: "/proc/sysrq-trigger", attempt: "system_request", by: /EROFS|EACCES|ENOENT/ },
  { row: "a user namespace by unshare", attempt: "new_user_namespace", by: /EPERM/ },
  { row: "a user namespace by clone", attempt: "new_user_namespace_by_clone", by: /EPERM/ },
  { row: "a user namespace by clone3", attempt: "new_user_namespace_by_clone3", by: /ENOSYS/ },
  { row: "another root", attempt: "change_root", by: /EPERM/ },
  { row: "bpf", attempt: "bpf", by: /EPERM/ },
  { row: "io_uring", attempt: "io_uring", by: /ENOSYS/ },
  { row: "userfaultfd", attempt: "user_fault", by: /EPERM/ },
  { row: "the kernel's keyrings", attempt: "kernel_keys", by: /EPERM/ },
  { row: "system calls of another interface", attempt: "thirty_two_bit_calls", by: /ENOSYS|nothing/ },
  { row: "tracing a host process", attempt: "trace_host_process", by: /EPERM/ },
  { row: "the memory of a host process", attempt: "read_memory_of_host_process", by: /EPERM/ },
  { row: "a signal to a host process", attempt: "signal_host_process", by: /ESRCH/ },
  { row: "the list of host processes", attempt: "see_host_process", by: NOTHING },
  { row: "a secret in its own environment", attempt: "secret_in_own_environment", by: NOTHING },
  {
    row: "a secret in the environment or command line of any process",
    attempt: "secret_in_any_process",
    by: NOTHING,
  },
  {
    row: "anything in the environment of the first process",
    attempt: "first_process_environment",
    by: NOTHING,
  },
  { row: "more rights in the first process", attempt: "rights_of_first_process", by: NOTHING },
  { row: "a folder that was open in the host's parent", attempt: "inherited_descriptor", by: NOTHING },
  { row: "any folder that is open", attempt: "any_open_folder", by: NOTHING },
  { row: "typing into the host's terminal", attempt: "host_terminal", by: /ENXIO/ },
  {
    row: "typing into a terminal that was open in the host's parent",
    attempt: "inherited_terminal",
    by: /EPERM|ENOTTY/,
  },
  { row: "typing into a terminal of its own", attempt: "type_into_any_terminal", by: /EPERM/ },
  {
    row: "typing, by a request number with high bits",
    attempt: "type_into_any_terminal_by_a_wide_number",
    by: /EPERM/,
  },
  { row: "an abstract unix socket", attempt: "abstract_socket", by: /EPERM/ },
  { row: "a unix socket in the file system", attempt: "path_socket", by: /EPERM/ },
  {
    row: "a unix socket, by a datagram pair connected anew",
    attempt: "datagram_pair_connected_anew",
    by: /EPERM/,
  },
  {
    row: "a unix socket, by a stream pair connected anew",
    attempt: "stream_pair_connected_anew",
    by: /EISCONN|EINVAL|ECONNREFUSED/,
  },
  {
    row: "a unix socket, by an inherited descriptor",
    attempt: "inherited_socket_connected_anew",
    by: /ENOTSOCK/,
  },
  { row: "the host's loopback", attempt: "host_loopback", by: /ECONNREFUSED/ },
  { row: "network interfaces", attempt: "network_interfaces", by: NOTHING },
  { row: "a socket to the virtual machine's host", attempt: "virtual_machine_socket", by: /EPERM/ },
  { row: "a packet socket", attempt: "packet_socket", by: /EPERM/ },
  { row: "the kernel's audit socket", attempt: "kernel_audit_socket", by: /EPERM/ },
  { row: "a shared memory segment", attempt: "shared_memory_segment", by: /ENOENT/ },
  {
    row: "a set-user-id program",
    attempt: "set_user_id_program",
    by: NOTHING,
    notFor: { root: "root has nothing to gain from one" },
  },
  { row: "leaving a set-user-id file, by chmod", attempt: "leave_set_user_id_file", by: /EPERM/ },
  { row: "leaving a set-user-id file, by open", attempt: "create_set_user_id_file", by: /EPERM/ },
  { row: "leaving a set-user-id file, by fchmod", attempt: "change_mode_by_descriptor", by: /EPERM/ },
  {
    row: "leaving a set-user-id file, by fchmodat2",
    attempt: "change_mode_by_the_newest_call",
    by: /EPERM|ENOSYS/,
  },
  { row: "capabilities", attempt: "capabilities", by: NOTHING },
  { row: "a file in /dev, /run or /", attempt: "fill_other_places", by: NOTHING },
];
