/** What the host says about itself; each undefined where the file does not exist. */
export interface KernelFacts {
  /** `/proc/sys/kernel/apparmor_restrict_unprivileged_userns` */
  readonly appArmorRestricts?: string | undefined;
  /** `/proc/sys/kernel/unprivileged_userns_clone` */
  readonly unprivilegedClone?: string | undefined;
  /** `/proc/sys/user/max_user_namespaces` */
  readonly maxUserNamespaces?: string | undefined;
  /** True if `/.dockerenv` or `/run/.containerenv` exists. */
  readonly inContainer: boolean;
  readonly isRoot: boolean;
}

export interface Explanation {
  readonly reason: string;
  readonly remedy: string;
}

/** The first release with every option of the profile. */
export const OLDEST_BUBBLEWRAP = "0.8.0";

export const NOT_INSTALLED: Explanation = {
  reason: "bubblewrap (the program `bwrap`) is not on PATH.",
  remedy:
    "Install it: `apt-get install bubblewrap`, `dnf install bubblewrap`, `pacman -S bubblewrap` or `apk add bubblewrap`.",
};

export const FORBIDDEN: Explanation = {
  reason: "ASHLAR_OS_SANDBOX=none forbids every sandbox.",
  remedy: "Unset ASHLAR_OS_SANDBOX.",
};

/** `0.8.0` of `bubblewrap 0.8.0`; undefined if the text holds no version. */
export const versionOf = (output: string): string | undefined => /\b(\d+\.\d+\.\d+)\b/.exec(output)?.[1];

/** True if `version` is `oldest` or later, number by number. */
export function isAtLeast(version: string, oldest: string): boolean {
  const have = version.split(".").map(Number);
  for (const [index, needed] of oldest.split(".").map(Number).entries()) {
    const difference = (have[index] ?? 0) - needed;
    if (difference !== 0) return difference > 0;
  }
  return true;
}

export const tooOld = (version: string): Explanation => ({
  reason: `bubblewrap ${version} is too old: ${OLDEST_BUBBLEWRAP} is the first with every option that the sandbox needs.`,
  remedy: `Install bubblewrap ${OLDEST_BUBBLEWRAP} or newer.`,
});

const trimmed = (text: string | undefined): string => text?.trim() ?? "";

function namespaceCause(facts: KernelFacts): Explanation {
  if (trimmed(facts.maxUserNamespaces) === "0")
    return {
      reason: "the kernel allows no user namespaces (user.max_user_namespaces is 0).",
      remedy: "As root: `sysctl -w user.max_user_namespaces=15000`.",
    };
  if (trimmed(facts.unprivilegedClone) === "0" && !facts.isRoot)
    return {
      reason: "the kernel forbids user namespaces to ordinary users (kernel.unprivileged_userns_clone is 0).",
      remedy: "As root: `sysctl -w kernel.unprivileged_userns_clone=1`.",
    };
  if (trimmed(facts.appArmorRestricts) === "1")
    return {
      reason:
        "AppArmor forbids user namespaces to programs without a profile (kernel.apparmor_restrict_unprivileged_userns is 1).",
      remedy:
        "Install an AppArmor profile for bwrap that allows `userns` (Ubuntu: the package apparmor-profiles has `bwrap-userns-restrict`).",
    };
  if (facts.inContainer)
    return {
      reason: "the container that this runs in forbids namespaces.",
      remedy:
        "Start the container so that user namespaces work in it, for example `docker run --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined`.",
    };
  return {
    reason: "the kernel refused the namespaces that the sandbox is made of.",
    remedy:
      "Run `bwrap --unshare-user --unshare-pid --ro-bind / / --proc /proc true` to see what it refuses.",
  };
}

const firstLine = (output: string): string => output.trim().split("\n")[0]?.slice(0, 300) ?? "";

/** Why bubblewrap did not come up, from what it printed and what the host says about itself. */
export function explainFailure(output: string, facts: KernelFacts): Explanation {
  const said = firstLine(output);
  const aboutNamespaces =
    /namespace|uid map|gid map|setting up|mount proc|Operation not permitted|Permission denied|loopback|ENOSPC/i.test(
      said,
    );
  if (!aboutNamespaces)
    return {
      reason: `bubblewrap did not start the sandbox: ${said || "it said nothing"}.`,
      remedy: "Run `bwrap --version`, and see whether a newer bubblewrap is there.",
    };
  const { reason, remedy } = namespaceCause(facts);
  return { reason: `bubblewrap could not set the sandbox up (${said}): ${reason}`, remedy };
}
