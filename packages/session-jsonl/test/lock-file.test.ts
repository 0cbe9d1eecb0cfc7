import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isSessionError } from "@ashlar/context";
import { createJsonlRepository } from "@ashlar/session-jsonl";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryFolder } from "./support/fixture.js";

const lock = { heartbeatMs: 50, staleMs: 300 };
let folder = "";
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function sessionWithLock(content: object | string, ageMs = 0): Promise<string> {
  const store = await createJsonlRepository({ folder }).create({ id: "s" });
  await store.close();
  const file = join(folder, "s.jsonl.lock");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  const at = new Date(Date.now() - ageMs);
  utimesSync(file, at, at);
  return file;
}

/** Opens and closes; the details of the lock error when it is refused. */
async function outcome(): Promise<"opened" | object> {
  try {
    await (await createJsonlRepository({ folder, lock }).open("s")).close();
    return "opened";
  } catch (error) {
    if (isSessionError(error) && error.kind === "locked") return error.details;
    throw error;
  }
}

/** What this process would sign, with other fields. */
async function ownSignature(): Promise<object> {
  const store = await createJsonlRepository({ folder }).create({ id: "other" });
  const text = readFileSync(join(folder, "other.jsonl.lock"), "utf8");
  await store.close();
  return JSON.parse(text);
}

const goneWithinMs = { token: "t", since: 5, fence: 7 };

describe("a lock file", () => {
  it("of a process that is gone does not hold", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    await sessionWithLock({ ...(await ownSignature()), ...goneWithinMs, pid });
    expect(await outcome()).toBe("opened");
    expect(readdirSync(folder).sort()).toEqual(["other.jsonl", "s.jsonl"]);
  });

  it("of a process whose pid another one has now does not hold", async () => {
    await sessionWithLock({ ...(await ownSignature()), ...goneWithinMs, start: "1" });
    expect(await outcome()).toBe(existsSync("/proc/self/stat") ? "opened" : expect.anything());
  });

  it("from before the machine started does not hold", async () => {
    await sessionWithLock({ ...(await ownSignature()), ...goneWithinMs, boot: "another" });
    expect(await outcome()).toBe("opened");
  });

  it("of a live process holds and says whose it is", async () => {
    await sessionWithLock({ ...(await ownSignature()), token: "t", since: 1_000 });
    expect(await outcome()).toMatchObject({ pid: process.pid, since: 1_000, host: hostname() });
  });

  it("of another machine holds while it gives signs of life", async () => {
    await sessionWithLock({ pid: 1, host: "elsewhere", token: "t", since: 1_000, fence: 1 });
    expect(await outcome()).toMatchObject({ pid: 1, host: "elsewhere" });
  });

  it("of another machine that is silent is taken over, with a copy that the silent one does not hold open", async () => {
    await sessionWithLock({ pid: 1, host: "elsewhere", token: "t", since: 1_000, fence: 1 }, 5_000);
    const file = join(folder, "s.jsonl");
    const [text, { ino }] = [readFileSync(file, "utf8"), statSync(file)];
    expect(await outcome()).toBe("opened");
    expect(readFileSync(file, "utf8")).toBe(text);
    expect(statSync(file).ino).not.toBe(ino);
  });

  it.each([
    { why: "empty", content: "" },
    { why: "no JSON", content: "\0\0\0" },
    { why: "something else", content: { hello: 1 } },
  ])("that is damaged holds while it is fresh, and not for ever: $why", async ({ content }) => {
    const file = await sessionWithLock(content);
    expect(await outcome()).toEqual({ id: "s" });
    const past = new Date(Date.now() - 5_000);
    utimesSync(file, past, past);
    expect(await outcome()).toBe("opened");
  });

  it("from the future, as a wrong clock makes it, is watched before it is taken over", async () => {
    const file = await sessionWithLock(
      { pid: 1, host: "elsewhere", token: "t", since: 1_000, fence: 1 },
      -3_600_000,
    );
    const beating = setInterval(() => {
      const at = new Date(Date.now() + 3_600_000);
      utimesSync(file, at, at);
    }, 20);
    try {
      expect(await outcome()).toMatchObject({ pid: 1 });
    } finally {
      clearInterval(beating);
    }
    expect(await outcome()).toBe("opened");
  });

  it("of this process holds although its timers came late, once they run again", async () => {
    const file = join(folder, "s.jsonl.lock");
    const store = await createJsonlRepository({ folder, lock }).create({ id: "s" });
    const past = new Date(Date.now() - 5_000);
    utimesSync(file, past, past);
    expect(await outcome()).toMatchObject({ pid: process.pid });
    await store.close();
  });

  it("whose taker died between its claim and its entry is taken over all the same", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const signature = await ownSignature();
    await sessionWithLock({ ...signature, pid, token: "first" });
    writeFileSync(
      join(folder, "s.jsonl.lock.after-first"),
      JSON.stringify({ ...signature, pid, token: "second" }),
    );
    expect(await outcome()).toBe("opened");
    expect(readdirSync(folder).sort()).toEqual(["other.jsonl", "s.jsonl"]);
  });

  it("counts its take-overs", async () => {
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const file = await sessionWithLock({ ...(await ownSignature()), pid, token: "t", fence: 41 });
    const store = await createJsonlRepository({ folder, lock }).open("s");
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({ fence: 42, pid: process.pid });
    await store.close();
    expect(existsSync(file)).toBe(false);
  });

  it("that somebody deleted ends writing instead of sharing it", async () => {
    const store = await createJsonlRepository({ folder }).create({ id: "s" });
    rmSync(join(folder, "s.jsonl.lock"));
    const other = await createJsonlRepository({ folder }).open("s");
    const entry = { id: "a", seq: 1, parent: null, at: 1, kind: "name", name: "x" } as const;
    await expect(store.append([entry])).rejects.toMatchObject({ kind: "overtaken" });
    await other.append([entry]);
    await store.close();
    expect(existsSync(join(folder, "s.jsonl.lock"))).toBe(true);
    await other.close();
  });
});
