import { runStoreCase, storeConformance } from "@ashlar/context/testing";
import { describe, expect, it } from "vitest";
import { createFixture, drivers } from "./support/fixture.js";

describe.each(drivers)("sessions in SQLite through %s", (driver) => {
  it.each(storeConformance)("$name", async (each) => {
    expect(await runStoreCase(each, () => createFixture(driver))).toEqual({
      name: each.name,
      outcome: "passed",
    });
  });
});
