import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { withProgress } from "../../src/sessions/progress.js";
import type { Terminal } from "../../src/terminal.js";

const WHAT = { what: "reading s1", of: "entries" };

function terminalOf(errColumns: number | undefined): {
  readonly terminal: Terminal;
  readonly said: string[];
} {
  const said: string[] = [];
  const flush = async (): Promise<void> => undefined;
  const terminal: Terminal = {
    cwd: "/",
    environment: {},
    input: undefined,
    out: { write: () => undefined, flush },
    err: { write: (text) => void said.push(text), flush },
    cancelled: new AbortController().signal,
    colour: false,
    errColumns,
  };
  return { terminal, said };
}

describe("progress of long work", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** Works for so long, counting once a second. */
  const work = (seconds: number) => async (progress: { count: number }) => {
    for (let second = 0; second < seconds; second += 1) {
      await vi.advanceTimersByTimeAsync(1_000);
      progress.count += 1;
    }
    return "done";
  };

  it("is one line that is written over and taken away on a terminal", async () => {
    const { terminal, said } = terminalOf(80);
    expect(await withProgress(terminal, WHAT, work(3))).toBe("done");
    expect(said.length).toBeGreaterThan(3);
    for (const text of said) expect(text).toMatch(/^\r[^\n]*$/);
    expect(said.join("")).toMatch(/reading s1 … 2 entries, 3 s/);
    expect(said.at(-1)).toMatch(/^\r +\r$/);
  });

  it("never takes more than a line of a narrow terminal", async () => {
    const { terminal, said } = terminalOf(12);
    await withProgress(terminal, WHAT, work(2));
    for (const part of said.join("").split("\r")) expect(part.length).toBeLessThan(12);
  });

  it("comes seldom where nobody looks on", async () => {
    const { terminal, said } = terminalOf(undefined);
    await withProgress(terminal, WHAT, work(40));
    expect(said).toHaveLength(2);
    for (const text of said)
      expect(text).toMatch(/^ashlar: reading s1 … \d+ entries, \d+ s \(Ctrl-C ends it\)\n$/);
  });

  it("is nothing for short work, and ends with work that fails", async () => {
    const { terminal, said } = terminalOf(undefined);
    await withProgress(terminal, WHAT, async () => "at once");
    const fails = withProgress(terminal, WHAT, async () => {
      throw new RangeError("no");
    });
    await expect(fails).rejects.toThrow(RangeError);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(said).toEqual([]);
  });
});
