import { describe, expect, it } from "vitest";
import { isSandboxError, type SandboxPolicy } from "../../src/index.js";
import { checkCommand, checkPolicy } from "../../src/policy/policy-check.js";

const policy: SandboxPolicy = {
  writeRoots: ["/p"],
  network: "none",
  environment: { PATH: "/bin" },
  cwd: "/p",
  limits: { timeMs: 1000, outputBytes: 1000, fileBytes: 1000 },
};

function placeOf(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!isSandboxError(error) || error.kind !== "usage" || !("at" in error.details)) throw error;
    expect(error.message.startsWith(`${error.details.at}: `)).toBe(true);
    return error.details.at;
  }
}

/** A cast because these are what a caller without types may hand in. */
const changed = (change: object): SandboxPolicy => ({ ...policy, ...change }) as SandboxPolicy;
const limited = (change: object): SandboxPolicy => changed({ limits: { ...policy.limits, ...change } });

describe("a policy", () => {
  it("is taken when it is whole", () => {
    checkPolicy(policy);
    checkPolicy(
      limited({ timeMs: null, memoryBytes: 1, processes: 32, temporaryBytes: 4096, outputBytes: 0 }),
    );
    checkPolicy(changed({ readOnly: ["/p/a b\n'\"-"], hidden: ["/h"], readable: ["/tmp"], writeRoots: [] }));
  });

  it.each([
    { why: "a misspelt field", given: changed({ readonly: [] }), at: "policy.readonly" },
    { why: "no write roots", given: changed({ writeRoots: undefined }), at: "policy.writeRoots" },
    { why: "a relative path", given: changed({ writeRoots: ["p"] }), at: "policy.writeRoots[0]" },
    {
      why: "a path with parts to resolve",
      given: changed({ hidden: ["/a", "/a/../b"] }),
      at: "policy.hidden[1]",
    },
    { why: "a path with empty parts", given: changed({ readOnly: ["/a//b"] }), at: "policy.readOnly[0]" },
    {
      why: "a path with a slash at its end",
      given: changed({ readable: ["/a/"] }),
      at: "policy.readable[0]",
    },
    { why: "a NUL", given: changed({ cwd: "/a\0b" }), at: "policy.cwd" },
    { why: "a number for a path", given: changed({ cwd: 1 }), at: "policy.cwd" },
    { why: "everything as write root", given: changed({ writeRoots: ["/"] }), at: "policy.writeRoots[0]" },
    {
      why: "the kernel's files as write root",
      given: changed({ writeRoots: ["/p", "/proc/sys"] }),
      at: "policy.writeRoots[1]",
    },
    { why: "devices as write root", given: changed({ writeRoots: ["/dev"] }), at: "policy.writeRoots[0]" },
    { why: "everything hidden", given: changed({ hidden: ["/h", "/"] }), at: "policy.hidden[1]" },
    { why: "an unknown network", given: changed({ network: "some" }), at: "policy.network" },
    { why: "no environment", given: changed({ environment: undefined }), at: "policy.environment" },
    {
      why: "a variable that is no text",
      given: changed({ environment: { A: 1 } }),
      at: "policy.environment.A",
    },
    {
      why: "a variable name with =",
      given: changed({ environment: { "A=B": "" } }),
      at: "policy.environment",
    },
    { why: "no limits", given: changed({ limits: undefined }), at: "policy.limits" },
    { why: "no word on time", given: limited({ timeMs: undefined }), at: "policy.limits.timeMs" },
    { why: "a time that no timer holds", given: limited({ timeMs: 2 ** 31 }), at: "policy.limits.timeMs" },
    { why: "a time of nothing", given: limited({ timeMs: 0 }), at: "policy.limits.timeMs" },
    { why: "half a byte", given: limited({ outputBytes: 0.5 }), at: "policy.limits.outputBytes" },
    {
      why: "files too small to start anything",
      given: limited({ fileBytes: 1 }),
      at: "policy.limits.fileBytes",
    },
    {
      why: "too few processes to start anything",
      given: limited({ processes: 3 }),
      at: "policy.limits.processes",
    },
    {
      why: "memory that is not a number",
      given: limited({ memoryBytes: Number.NaN }),
      at: "policy.limits.memoryBytes",
    },
  ])("is refused with the place named: $why", ({ given, at }) => {
    expect(placeOf(() => checkPolicy(given))).toBe(at);
  });

  it("is refused when it is none", () => {
    // A cast because a caller without types may hand it in.
    expect(placeOf(() => checkPolicy(JSON.parse("null")))).toBe("policy");
  });
});

describe("a command", () => {
  it.each([
    { why: "nothing", command: [], at: "command[0]" },
    { why: "an empty name", command: ["", "a"], at: "command[0]" },
    { why: "a NUL", command: ["a", "b", "\0"], at: "command[2]" },
  ])("is refused with the place named: $why", ({ command, at }) => {
    expect(placeOf(() => checkCommand(command))).toBe(at);
  });
});
