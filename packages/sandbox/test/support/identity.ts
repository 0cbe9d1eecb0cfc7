import { execFileSync } from "node:child_process";

/** Somebody who runs sandboxes. */
export interface Identity {
  readonly name: "root" | "an ordinary user";
  readonly uid: number;
  readonly gid: number;
  /** Why nothing can be run under it here. */
  readonly missing?: string;
  readonly remove: () => void;
}

const ownUid = process.getuid?.() ?? -1;
const ownGid = process.getgid?.() ?? -1;
const isRoot = ownUid === 0;
const stay = (): void => undefined;

export const root = (): Identity => ({
  name: "root",
  uid: 0,
  gid: 0,
  remove: stay,
  ...(isRoot ? {} : { missing: "the tests do not run as root" }),
});

const numberOf = (option: string, name: string): number =>
  Number(execFileSync("id", [option, name], { encoding: "utf8" }));

/** Made for the tests by root; else whoever runs them. */
export function ordinaryUser(): Identity {
  const name = "an ordinary user";
  if (!isRoot) return { name, uid: ownUid, gid: ownGid, remove: stay };
  const account = `ashlar-test-${process.pid}`;
  try {
    execFileSync("useradd", ["--no-create-home", "--shell", "/usr/sbin/nologin", account], { stdio: "pipe" });
  } catch (error) {
    return { name, uid: -1, gid: -1, remove: stay, missing: `no user could be made: ${String(error)}` };
  }
  return {
    name,
    uid: numberOf("-u", account),
    gid: numberOf("-g", account),
    remove: () => {
      execFileSync("userdel", ["--force", account], { stdio: "pipe" });
    },
  };
}
