import { describe, expect, it } from "vitest";
import { type FinishHost, FinishList } from "../../src/session/finish-list.js";

function fakeProcess() {
  const listeners = new Map<string, () => void>();
  const exits: number[] = [];
  const reports: unknown[] = [];
  let ended = (): void => {};
  const end = new Promise<void>((resolve) => {
    ended = resolve;
  });
  const host: FinishHost = {
    once: (event, listener) => listeners.set(event, listener),
    off: (event) => listeners.delete(event),
    exit: (code) => {
      exits.push(code);
      ended();
    },
    report: (error) => reports.push(error),
  };
  return {
    host,
    exits,
    reports,
    end,
    listening: () => [...listeners.keys()].sort(),
    hear: (event: string) => listeners.get(event)?.(),
  };
}

describe("what is done at the end of a process", () => {
  it("listens to nothing before something is registered, and to nothing once it is taken back", () => {
    const { host, listening } = fakeProcess();
    const finish = new FinishList(host);
    expect(listening()).toEqual([]);
    const remove = finish.add(() => undefined);
    const other = finish.add(() => undefined);
    remove();
    expect(listening()).toEqual(["exit"]);
    other();
    expect(listening()).toEqual([]);
  });

  it("is done once, newest first, also when one of it throws", () => {
    const { host, hear } = fakeProcess();
    const finish = new FinishList(host);
    const done: string[] = [];
    finish.add(() => done.push("first"));
    finish.add(() => {
      throw new RangeError("broken");
    });
    finish.add(() => done.push("last"));
    expect(() => hear("exit")).toThrow(RangeError);
    expect(done).toEqual(["last", "first"]);
    finish.run();
    expect(done).toEqual(["last", "first"]);
  });

  it("after a signal waits for what closes, then cleans up and exits with 130", async () => {
    const { host, hear, exits, end, listening } = fakeProcess();
    const finish = new FinishList(host);
    const done: string[] = [];
    finish.add(() => done.push("cleaned"));
    finish.addClosing(async () => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      done.push("closed");
    });
    finish.addClosing(() => Promise.reject(new Error("the disk is full")));
    const late = finish.addClosing(async () => {
      done.push("taken back");
    });
    late();
    finish.arm();
    finish.arm();
    expect(listening()).toEqual(["SIGHUP", "SIGINT", "SIGTERM", "exit"]);
    hear("SIGTERM");
    // A second signal meets nobody, so the system ends the process.
    expect(listening()).toEqual(["exit"]);
    await end;
    expect([done, exits]).toEqual([["closed", "cleaned"], [130]]);
  });

  it("exits after a signal also when a cleanup fails, and says that it did", async () => {
    const { host, hear, exits, end, reports } = fakeProcess();
    const finish = new FinishList(host);
    const failure = new RangeError("broken");
    finish.add(() => {
      throw failure;
    });
    finish.arm();
    hear("SIGHUP");
    await end;
    expect([exits, reports]).toEqual([[130], [failure]]);
  });

  it("leaves the signals alone again when it is disarmed", () => {
    const { host, listening } = fakeProcess();
    const disarm = new FinishList(host).arm();
    disarm();
    expect(listening()).toEqual([]);
  });

  it("keeps to the signals as long as one of those who armed it wants them", () => {
    const { host, listening } = fakeProcess();
    const finish = new FinishList(host);
    const [first, second] = [finish.arm(), finish.arm()];
    first();
    first();
    expect(listening()).toEqual(["SIGHUP", "SIGINT", "SIGTERM"]);
    second();
    expect(listening()).toEqual([]);
  });
});
