import { runStoreCase, storeConformance } from "@ashlar/context/testing";
import { describe, expect, it } from "vitest";
import { createFixture } from "./support/fixture.js";

describe("sessions as JSON lines", () => {
  it.each(storeConformance)("$name", async (each) => {
    expect(await runStoreCase(each, createFixture)).toEqual({ name: each.name, outcome: "passed" });
  });
});
