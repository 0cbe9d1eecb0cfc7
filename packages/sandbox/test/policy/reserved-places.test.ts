import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isReservedPlace, reservePlaces } from "../../src/policy/reserved-places.js";

let folder: string;
let place: string;

describe.skipIf(process.platform !== "linux")("the place of a path that must not come into being", () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "ashlar-places-"));
    place = join(folder, "ai-settings.json");
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("is held until its last user lets it go", async () => {
    const [one, two] = await Promise.all([reservePlaces([place]), reservePlaces([place])]);
    expect(await isReservedPlace(place)).toBe(true);
    await one.release();
    expect(existsSync(place)).toBe(true);
    await two.release();
    expect(existsSync(place)).toBe(false);
  });

  it("is held all the time while many come and go", async () => {
    let isOver = false;
    const long = await reservePlaces([place]);
    const others = Array.from({ length: 20 }, async () => {
      for (let count = 0; count < 20; count += 1) await (await reservePlaces([place])).release();
    });
    const watch = async (): Promise<void> => {
      while (!isOver) {
        expect(existsSync(place)).toBe(true);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const watching = watch();
    await Promise.all(others);
    isOver = true;
    await watching;
    await long.release();
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is not seen by git", async () => {
    execFileSync("git", ["init", "-q"], { cwd: folder });
    const held = await reservePlaces([place]);
    expect(execFileSync("git", ["status", "--porcelain"], { cwd: folder, encoding: "utf8" })).toBe("");
    await held.release();
  });

  it("is freed of marks whose process is gone, but not of those of another namespace", async () => {
    const namespace = /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0];
    const [dead, foreign] = [`.ashlar-${process.pid}-1-${namespace}-1`, `.ashlar-${process.pid}-1-1-1`];
    for (const mark of [dead, foreign]) mkdirSync(join(place, mark), { recursive: true });
    const held = await reservePlaces([place]);
    expect(readdirSync(place)).not.toContain(dead);
    await held.release();
    expect(readdirSync(place)).toEqual([foreign]);
  });

  it("keeps what somebody put there meanwhile", async () => {
    const held = await reservePlaces([place]);
    writeFileSync(join(place, "mine"), "precious");
    expect(await isReservedPlace(place)).toBe(false);
    await held.release();
    expect(readdirSync(place)).toEqual(["mine"]);
    expect(readFileSync(join(place, "mine"), "utf8")).toBe("precious");
  });

  it("gives back what it had when it cannot have all", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await expect(reservePlaces([place, join(file, "below")])).rejects.toMatchObject({ code: "ENOTDIR" });
    expect(readdirSync(folder)).toEqual(["file"]);
  });

  it("is no such place if it is an ordinary folder, a file or nothing", async () => {
    mkdirSync(join(folder, "empty"));
    writeFileSync(join(folder, "file"), "");
    const found = await Promise.all(
      ["empty", "file", "nothing"].map((name) => isReservedPlace(join(folder, name))),
    );
    expect(found).toEqual([false, false, false]);
  });
});
