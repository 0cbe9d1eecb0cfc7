import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { probe } from "../src/index.js";
import {
  type Attempt,
  FILL_MEBIBYTES,
  type Findings,
  HOST_LIMIT_MS,
  tryEverything,
  tryWithoutProfile,
} from "./support/careless-host.js";
import { ROWS } from "./support/escape-rows.js";
import { type Identity, ordinaryUser, root } from "./support/identity.js";
import { makePlayground, type Playground } from "./support/playground.js";
import { noPython, noSandbox } from "./support/sandbox-here.js";

const limited = noSandbox ?? noPython;

describe.skipIf(limited !== undefined).each([
  { who: "root" as const, make: root },
  { who: "an ordinary user" as const, make: ordinaryUser },
])("a hostile program in a sandbox of $who", ({ who, make }) => {
  let identity: Identity;
  let place: Playground | undefined;
  let findings: Findings;

  beforeAll(() => {
    identity = make();
    if (identity.missing !== undefined) return console.log(`not run as ${who}: ${identity.missing}`);
    place = makePlayground(identity);
    findings = tryEverything(identity, place);
  }, HOST_LIMIT_MS);
  beforeEach(({ skip }) => skip(identity.missing !== undefined, identity.missing));
  afterAll(() => {
    place?.remove();
    identity.remove();
  });

  const found = (name: string): Attempt =>
    findings.attempts.get(name) ?? { escaped: true, detail: "was not tried" };

  it.for(ROWS)("does not reach $row", ({ attempt, by, notFor }, { skip }) => {
    const reason = notFor?.[who];
    if (reason !== undefined) console.log(`not run as ${who}: ${attempt}: ${reason}`);
    skip(reason !== undefined, reason);
    const { escaped, detail } = found(attempt);
    expect(detail).toMatch(by);
    expect(escaped).toBe(false);
  });

  it("is stopped by the limit on processes", ({ skip }) => {
    const { escaped, detail } = found("fork_without_end");
    const reason = "root may not make a control group that counts processes here";
    if (who === "root" && escaped) console.log(`not run as root: ${reason}`);
    skip(who === "root" && escaped, reason);
    expect(detail).toMatch(/EAGAIN/);
    expect(escaped).toBe(false);
  });

  it.each([
    { what: "file", attempt: "one_large_file", by: /EFBIG/ },
    { what: "temporary folder", attempt: "fill_temporary_folder", by: /ENOSPC/ },
    { what: "shared memory folder", attempt: "fill_shared_memory", by: /ENOSPC/ },
  ])("is stopped by the limit on the size of a $what", ({ attempt, by }) => {
    expect(found(attempt).detail).toMatch(by);
    expect(found(attempt).escaped).toBe(false);
  });

  it("is stopped by the limit on memory", () => {
    expect(findings.outcomes.get("memory_without_end")).toBe("memory");
  });

  it("stays open: writes to a file outside through a hard link that was there before", () => {
    expect(found("old_hard_link").escaped).toBe(true);
  });

  it("stays open: fills the project with files that are each small enough", () => {
    expect(found("many_files").detail).toBe(`wrote ${FILL_MEBIBYTES} files of 1 MiB`);
  });

  it("sent nothing to the host's sockets, signals or terminals", () => {
    expect(findings.arrived).toEqual([]);
  });

  it("changed nothing outside but what the old hard link leads to", () => {
    const expected = findings.before.replace(
      "as it was\\n",
      "as it was\\nthrough a link that was there before\\n",
    );
    expect(findings.after).toBe(expected);
  });
});

/** Of those that depend on nothing but the profile. */
const WORK_WITHOUT_PROFILE = [
  "git_hook",
  "git_config",
  "move_git_away",
  "missing_pin_made",
  "missing_pin_renamed_into",
  "read_ssh_keys",
  "read_netrc",
  "new_user_namespace",
  "signal_host_process",
  "see_host_process",
  "secret_in_own_environment",
  "secret_in_any_process",
  "inherited_descriptor",
  "any_open_folder",
  "abstract_socket",
  "path_socket",
  "datagram_pair_connected_anew",
  "host_loopback",
  "shared_memory_segment",
  "leave_set_user_id_file",
  "create_set_user_id_file",
  "change_mode_by_descriptor",
  "rights_of_first_process",
];

describe.skipIf(limited !== undefined)("the attempts themselves", () => {
  it("get out of a profile that only makes the file system read-only", async ({ skip }) => {
    const identity = ordinaryUser();
    skip(identity.missing !== undefined, identity.missing);
    const place = makePlayground(identity);
    try {
      const { program = "" } = await probe();
      const found = tryWithoutProfile(identity, place, program, WORK_WITHOUT_PROFILE);
      const stopped = [...found].filter(([, { escaped }]) => !escaped);
      expect(found.size).toBe(WORK_WITHOUT_PROFILE.length);
      expect(stopped).toEqual([]);
    } finally {
      place.remove();
      identity.remove();
    }
  });
});
