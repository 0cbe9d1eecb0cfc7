import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

it("does what its comments claim", async () => {
  const example = fileURLToPath(new URL("../main.mjs", import.meta.url));
  await expect(import(example)).resolves.toBeDefined();
});
