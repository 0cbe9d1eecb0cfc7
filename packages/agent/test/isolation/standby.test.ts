import { describe, expect, it, vi } from "vitest";
import { Standby } from "../../src/isolation/standby.js";
import type { ProcessEnd, ToolProcess } from "../../src/worker/tool-process.js";

const END: ProcessEnd = { outcome: "ended", exitCode: null, signal: null, stderr: "" };

function fakeProcess() {
  const seen: string[] = [];
  let over = false;
  const process: ToolProcess = {
    send: () => undefined,
    listen: () => undefined,
    ended: new Promise(() => undefined),
    isOver: () => over,
    end: async () => {
      over = true;
      seen.push("end");
      return END;
    },
    unref: () => seen.push("unref"),
    ref: () => seen.push("ref"),
  };
  return { process, seen };
}

describe("the standby", () => {
  it("gives its process to the one call of its key, and keeps no program alive meanwhile", async () => {
    const standby = new Standby();
    const { process, seen } = fakeProcess();
    standby.prepare("a", async () => process);
    expect(await standby.take("a")).toBe(process);
    expect(seen).toEqual(["unref", "ref"]);
    expect(await standby.take("a")).toBeUndefined();
  });

  it("ends a process that nobody can use any more", async () => {
    const standby = new Standby();
    const { process, seen } = fakeProcess();
    standby.prepare("a", async () => process);
    expect(await standby.take("b")).toBeUndefined();
    expect(seen.at(-1)).toBe("end");
  });

  it("gives nothing when its process ended or never started", async () => {
    const standby = new Standby();
    const { process } = fakeProcess();
    await process.end();
    standby.prepare("a", async () => process);
    expect(await standby.take("a")).toBeUndefined();
    standby.prepare("a", async () => {
      throw new Error("no sandbox");
    });
    expect(await standby.take("a")).toBeUndefined();
  });

  it("holds one at a time, for sixty seconds, and none once it is closed", async () => {
    vi.useFakeTimers();
    try {
      const standby = new Standby();
      const first = fakeProcess();
      const start = vi.fn(async () => first.process);
      standby.prepare("a", start);
      standby.prepare("a", start);
      expect(start).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(59_000);
      expect(first.seen).toEqual(["unref"]);
      await vi.advanceTimersByTimeAsync(2_000);
      expect(first.seen).toEqual(["unref", "end"]);
      const second = fakeProcess();
      standby.prepare("a", async () => second.process);
      await standby.close();
      expect(second.seen).toEqual(["unref", "end"]);
      standby.prepare("a", start);
      expect(start).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });
});
