import { describe, expect, it } from "vitest";
import {
  explainFailure,
  isAtLeast,
  type KernelFacts,
  versionOf,
} from "../../src/linux/bubblewrap-failure.js";

const REFUSED =
  "bwrap: No permissions to create a new namespace, likely because the kernel does not allow it.";
const plain: KernelFacts = { inContainer: false, isRoot: false };

describe("why bubblewrap does not start", () => {
  it.each<{ why: string; output: string; facts: KernelFacts; reason: RegExp; remedy: RegExp }>([
    {
      why: "no user namespaces at all",
      output: REFUSED,
      facts: { ...plain, maxUserNamespaces: "0\n" },
      reason: /max_user_namespaces is 0/,
      remedy: /sysctl -w user.max_user_namespaces/,
    },
    {
      why: "none for ordinary users",
      output: REFUSED,
      facts: { ...plain, unprivilegedClone: "0\n" },
      reason: /unprivileged_userns_clone is 0/,
      remedy: /unprivileged_userns_clone=1/,
    },
    {
      why: "AppArmor",
      output: "bwrap: setting up uid map: Permission denied",
      facts: { ...plain, appArmorRestricts: "1\n" },
      reason: /AppArmor/,
      remedy: /profile/,
    },
    {
      why: "a container",
      output: "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
      facts: { ...plain, inContainer: true },
      reason: /container/,
      remedy: /docker run/,
    },
    {
      why: "root in a container whose host forbids it to users",
      output: REFUSED,
      facts: { ...plain, isRoot: true, inContainer: true, unprivilegedClone: "0" },
      reason: /container/,
      remedy: /docker run/,
    },
    {
      why: "something else about namespaces",
      output: REFUSED,
      facts: plain,
      reason: /kernel refused/,
      remedy: /bwrap --unshare-user/,
    },
    {
      why: "something else",
      output: "bwrap: Unknown option --seccomp",
      facts: plain,
      reason: /Unknown option/,
      remedy: /newer bubblewrap/,
    },
    { why: "silence", output: "", facts: plain, reason: /said nothing/, remedy: /bwrap --version/ },
  ])("is told for $why", ({ output, facts, reason, remedy }) => {
    const explanation = explainFailure(output, facts);
    expect(explanation.reason).toMatch(reason);
    expect(explanation.remedy).toMatch(remedy);
  });
});

describe("the version of bubblewrap", () => {
  it("is read from what it prints", () => {
    expect(versionOf("bubblewrap 0.11.2\n")).toBe("0.11.2");
    expect(versionOf("not a version")).toBeUndefined();
  });

  it.each([
    { version: "0.8.0", enough: true },
    { version: "0.10.0", enough: true },
    { version: "1.0.0", enough: true },
    { version: "0.7.9", enough: false },
    { version: "0.6.1", enough: false },
  ])("$version is new enough: $enough", ({ version, enough }) => {
    expect(isAtLeast(version, "0.8.0")).toBe(enough);
  });
});
