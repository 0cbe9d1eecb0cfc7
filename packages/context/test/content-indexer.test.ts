import { createContentIndexer } from "@ashlar/context/provider";
import { expect, it } from "vitest";

it("numbers keys densely in the order in which they first appear", () => {
  const indexOf = createContentIndexer();
  expect(["text", 7, "call_b", 7, "text", "7"].map(indexOf)).toEqual([0, 1, 2, 1, 0, 3]);
});
