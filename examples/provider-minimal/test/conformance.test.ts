import { readFileSync } from "node:fs";
import { providerConformance, unmetNeed } from "@ashlar/io/testing";
import { describe, expect, it } from "vitest";
import { subject } from "../recordings.js";

const source = new URL("../index.js", import.meta.url);

describe("the smallest whole provider", () => {
  it.each(providerConformance.filter((each) => unmetNeed(each, subject) === undefined))(
    "conforms: $name",
    ({ run }) => run(subject),
  );

  it("is excused only from what its protocol does not have", () => {
    const left = providerConformance
      .filter((each) => unmetNeed(each, subject) !== undefined)
      .map(({ name }) => name);
    expect(left).toEqual(["thinking", "executed-calls", "executed-calls-keep-waiting"]);
  });

  it("stays under 80 lines", () => {
    expect(readFileSync(source, "utf8").trimEnd().split("\n").length).toBeLessThan(80);
  });

  it("imports the contract package and nothing else", () => {
    const imported = [...readFileSync(source, "utf8").matchAll(/from "([^"]+)"/g)].map(([, name]) => name);
    expect(imported).toEqual(["@ashlar/context/provider"]);
  });
});
