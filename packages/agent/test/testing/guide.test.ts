import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { toolPackConformance } from "../../src/testing/index.js";

it("has every case in the guide for tool authors, and no other", () => {
  const file = new URL("../../../../docs/guides/write-a-tool-package.md", import.meta.url);
  const guide = readFileSync(file, "utf8");
  const table = guide.slice(guide.indexOf("| case | asks |"), guide.indexOf("## Use it"));
  const listed = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(
    ([, names]) => names?.match(/[a-z0-9-]+/g) ?? [],
  );
  expect(listed.toSorted()).toEqual(toolPackConformance.map(({ name }) => name).toSorted());
});
