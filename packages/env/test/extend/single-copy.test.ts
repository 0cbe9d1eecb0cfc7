import { cp, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { claimProcess, type ProcessHolder } from "../../src/extend/single-copy.js";
import { tempFolder } from "../temp-folder.js";

function holder(): ProcessHolder {
  let held: string | undefined;
  return {
    get: () => held,
    set: (file) => {
      held = file;
    },
  };
}

it("takes a query for another import of the same copy", () => {
  const process = holder();
  claimProcess("file:///a/node_modules/@ashlar/env/dist/index.js", process);
  claimProcess("file:///a/node_modules/@ashlar/env/dist/index.js?v=2#x", process);
  expect(process.get()).toBe("/a/node_modules/@ashlar/env/dist/index.js");
});

it("refuses a second path and names both", () => {
  const process = holder();
  claimProcess("file:///a/env/dist/index.js", process);
  const second = () => claimProcess("file:///b/env/dist/index.js?v=1", process);
  expect(second).toThrow(
    expect.objectContaining({
      kind: "extend",
      details: { name: "@ashlar/env", owners: ["/a/env/dist/index.js", "/b/env/dist/index.js"] },
    }),
  );
  expect(second).toThrow(/\/a\/env\/dist\/index\.js and \/b\/env\/dist\/index\.js/u);
});

it("refuses a real second copy when it is imported", async () => {
  const here = fileURLToPath(new URL("../..", import.meta.url));
  const copy = await tempFolder();
  await cp(join(here, "src"), join(copy, "src"), { recursive: true });
  await cp(join(here, "package.json"), join(copy, "package.json"));
  await symlink(join(here, "node_modules"), join(copy, "node_modules"));
  await import("../../src/env-class.js");
  await expect(import(join(copy, "src/env-class.ts"))).rejects.toMatchObject({
    kind: "extend",
    details: { owners: [join(here, "src/env-class.ts"), join(copy, "src/env-class.ts")] },
  });
});
