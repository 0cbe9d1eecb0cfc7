import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { providerConformance } from "../../src/testing/index.js";

it("has every case in the guide for provider authors, and no other", () => {
  const guide = readFileSync(new URL("../../../../docs/guides/write-a-provider.md", import.meta.url), "utf8");
  const table = guide.slice(guide.indexOf("| case | asks |"), guide.indexOf("## Use it"));
  const listed = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(
    ([, names]) => names?.match(/[a-z0-9-]+/g) ?? [],
  );
  expect(listed.toSorted()).toEqual(providerConformance.map(({ name }) => name).toSorted());
});
