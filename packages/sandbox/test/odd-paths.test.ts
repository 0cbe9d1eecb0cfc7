import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DrivenResult, drive } from "./support/drive.js";
import { type Identity, ordinaryUser, root } from "./support/identity.js";
import { makePlayground, type Playground, policyFor } from "./support/playground.js";
import { noSandbox } from "./support/sandbox-here.js";

const NAMES = [
  { why: "blanks", name: "a b  c" },
  { why: "quotes", name: `it's "quoted" \`so\`` },
  { why: "a newline and a tab", name: "line\nbreak\ttab" },
  { why: "leading dashes", name: "--bind" },
  { why: "what shells and patterns act on", name: "$HOME;*?[a]{b}&|<>~!" },
  { why: "a backslash", name: "back\\slash" },
  { why: "other scripts", name: "プロジェクト-é-🙂" },
];
const LIMIT_MS = 120_000;

describe.skipIf(noSandbox !== undefined).each([
  { who: "root", make: root },
  { who: "an ordinary user", make: ordinaryUser },
])("a project of $who with an odd name", ({ make }) => {
  let identity: Identity;
  let place: Playground;
  let temporary: string;
  let results: readonly DrivenResult[];

  beforeAll(() => {
    identity = make();
    if (identity.missing !== undefined)
      return console.log(`not run as ${identity.name}: ${identity.missing}`);
    place = makePlayground(identity);
    temporary = realpathSync(mkdtempSync(join(tmpdir(), "ashlar-odd-")));
    const runs = [place.project, temporary].flatMap((parent) =>
      NAMES.map(({ name }) => {
        const project = join(parent, name);
        mkdirSync(join(project, ".git/hooks"), { recursive: true });
        const pins = [".git/hooks", "missing pin"].map((pin) => join(project, pin));
        const script =
          "pwd -P; echo x > made; touch .git/hooks/no .git/yes 'missing pin/no' 2>/dev/null; ls -A .git/hooks 'missing pin'";
        return {
          name: project,
          command: ["bash", "-c", script],
          policy: policyFor(project, { readOnly: pins }),
        };
      }),
    );
    execFileSync("chown", ["-R", `${identity.uid}:${identity.gid}`, place.project, temporary]);
    results = drive(identity, place, runs);
  }, LIMIT_MS);
  beforeEach(({ skip }) => skip(identity.missing !== undefined, identity.missing));
  afterAll(() => {
    if (identity.missing === undefined) {
      place.remove();
      rmSync(temporary, { recursive: true, force: true });
    }
    identity.remove();
  });

  describe.each([
    { where: "its usual place", parent: () => place.project },
    { where: "the temporary folder", parent: () => temporary },
  ])("in $where", ({ parent }) => {
    it.each(NAMES)("is written to, and its pins are not: $why", ({ name }) => {
      const project = join(parent(), name);
      const result = results.find((one) => one.name === project);
      expect(result).toMatchObject({ outcome: "exited", exitCode: 0 });
      expect(result?.stdout?.startsWith(`${project}\n`)).toBe(true);
      const there = ["made", ".git/yes", ".git/hooks/no", "missing pin"].map((file) =>
        existsSync(join(project, file)),
      );
      expect(there).toEqual([true, true, false, false]);
    });
  });
});
