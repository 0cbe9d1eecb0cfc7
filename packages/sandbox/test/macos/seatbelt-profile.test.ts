import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quote, type SeatbeltPaths, seatbeltProfile } from "../../src/macos/seatbelt-profile.js";

// Tested as text only: no part of this has been run on macOS.

const paths: SeatbeltPaths = {
  writeRoots: ['/Users/me/a "b"\nc'],
  readOnly: ['/Users/me/a "b"\nc/.git/hooks'],
  reserved: ['/Users/me/a "b"\nc/ai-jobs'],
  hiddenFolders: ["/Users/me/.ssh"],
  hiddenFiles: ["/Users/me/.netrc"],
  readable: ["/opt/node"],
};

/** Reads the text of a quoted string, as the profile language does; undefined where it does not end. */
function unquote(text: string): { readonly value: string; readonly rest: string } | undefined {
  let value = "";
  for (let at = 1; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') return { value, rest: text.slice(at + 1) };
    if (character !== "\\") value += character;
    else {
      at += 1;
      const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };
      value += escapes[text[at] ?? ""] ?? text[at];
    }
  }
  return undefined;
}

/** True if brackets match outside of strings. */
function isBalanced(profile: string): boolean {
  let rest = profile;
  let depth = 0;
  while (rest !== "") {
    if (rest.startsWith('"')) {
      const text = unquote(rest);
      if (!text) return false;
      rest = text.rest;
      continue;
    }
    if (rest.startsWith("(")) depth += 1;
    if (rest.startsWith(")")) depth -= 1;
    if (depth < 0) return false;
    rest = rest.slice(1);
  }
  return depth === 0;
}

const linesOf = (network: "none" | "full" = "none"): readonly string[] =>
  seatbeltProfile(paths, network).split("\n");

describe("a profile for sandbox-exec", () => {
  it("quotes any path so that it is one string and ends nothing else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string(), (path, rest) => {
        expect(unquote(quote(path) + rest)).toEqual({ value: path, rest });
      }),
    );
  });

  it("keeps its form whatever the paths are", () => {
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (writeRoots, hiddenFiles) => {
        const profile = seatbeltProfile({ ...paths, writeRoots, hiddenFiles }, "full");
        expect(isBalanced(profile)).toBe(true);
      }),
    );
  });

  it("forbids what nothing allows", () => {
    expect(linesOf().slice(0, 2)).toEqual(["(version 1)", "(deny default)"]);
  });

  it("takes pins and hidden paths away after it has given the write roots, because the last rule decides", () => {
    const lines = linesOf();
    const given = lines.indexOf('(allow file-write* (subpath "/Users/me/a \\"b\\"\\nc"))');
    const pins = lines.findIndex((line) => line.startsWith("(deny file-write* (subpath"));
    const hidden = lines.indexOf(
      '(deny file-read* file-write* (subpath "/Users/me/.ssh") (literal "/Users/me/.netrc"))',
    );
    expect(given).toBeGreaterThan(0);
    expect(pins).toBeGreaterThan(given);
    expect(hidden).toBeGreaterThan(pins);
    expect(lines[pins]).toContain("ai-jobs");
  });

  it("keeps the folders above a pin from being moved away", () => {
    expect(linesOf()).toContain(
      '(deny file-write-unlink file-write-create (literal "/Users/me/a \\"b\\"\\nc/.git"))',
    );
  });

  it("allows the network only when it is asked for", () => {
    expect(seatbeltProfile(paths, "none")).not.toContain("network");
    expect(seatbeltProfile(paths, "full")).toContain("(allow network-outbound (remote ip))");
  });

  it("has no rule without paths", () => {
    const none: SeatbeltPaths = {
      writeRoots: [],
      readOnly: [],
      reserved: [],
      hiddenFolders: [],
      hiddenFiles: [],
      readable: [],
    };
    expect(seatbeltProfile(none, "none")).not.toMatch(/\((allow|deny) file-write\*\)/);
  });
});
