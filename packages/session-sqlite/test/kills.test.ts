import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { drivers } from "./support/fixture.js";
import { buildPrograms, type Programs } from "./support/programs.js";

let programs: Programs;
beforeAll(async () => {
  programs = await buildPrograms();
});
afterAll(() => programs.dispose());

/** All drivers together; the long run is `npm run soak -- kills`. */
const KILLS = 100 / drivers.length;

describe.each(drivers)("a writer through %s", (driver) => {
  it("loses nothing that was committed and leaves nothing half done, killed at random moments", {
    timeout: 600_000,
  }, async () => {
    const child = spawn(process.execPath, [programs.path("kills"), String(KILLS), driver]);
    const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(errors).toBe("");
    expect(JSON.parse(output)).toMatchObject({ kills: KILLS });
  });
});
