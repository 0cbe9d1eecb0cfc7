import { toolPackConformance, unmetNeed } from "@ashlar/agent/testing";
import { describe, expect, it } from "vitest";
import { subject } from "../subject.js";

describe("the smallest whole tool package", () => {
  it.for(toolPackConformance)("conforms: $name", async (each, { skip }) => {
    const reason = await unmetNeed(each);
    if (reason !== undefined) console.log(`not run: ${reason}`);
    skip(reason !== undefined, reason);
    await expect(each.run(subject)).resolves.toBeUndefined();
  });
});
