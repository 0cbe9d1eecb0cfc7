import { describe, expect, it } from "vitest";
import { BackgroundManager } from "../../src/background/background-manager.js";

/** Commands that end when they are told to, and print their own line first. */
function commands() {
  const ends = new Map<string, (exitCode: number) => void>();
  const manager = new BackgroundManager({
    start: async ({ command, onOutput }) => {
      if (command === "broken") throw new Error("no such place");
      onOutput(Buffer.from(`${command}\n`));
      const exited = new Promise<{ exitCode: number; signal: null }>((resolve) => {
        ends.set(command, (exitCode) => resolve({ exitCode, signal: null }));
      });
      if (command.startsWith("short")) ends.get(command)?.(0);
      return { exited, end: async () => ends.get(command)?.(143) };
    },
  });
  return { manager };
}

describe("background commands", () => {
  it("tell what they printed first, are listed, followed and stopped", async () => {
    const { manager } = commands();
    const started = await manager.start("server", {});
    expect(started).toEqual({
      id: "bg-1",
      command: "server",
      running: true,
      exitCode: null,
      signal: null,
      preview: "server\n",
    });
    expect(await manager.output("bg-1", 0)).toEqual({ text: "server\n", dropped: 0, next: 7 });
    expect(await manager.stop("bg-1")).toMatchObject({ running: false, exitCode: 143 });
    expect(await manager.list()).toEqual([
      { id: "bg-1", command: "server", running: false, exitCode: 143, signal: null },
    ]);
  });

  it("are at most eight at one time", async () => {
    const { manager } = commands();
    await Promise.all(Array.from({ length: 8 }, (_, index) => manager.start(`c${index}`, {})));
    await expect(manager.start("ninth", {})).rejects.toMatchObject({
      kind: "usage",
      message: expect.stringMatching(/^8 background commands run already: bg-1, .*bg-8\. Stop one first\.$/),
    });
    await manager.stop("bg-1");
    expect(await manager.start("ninth", {})).toMatchObject({ running: true });
    await manager.close();
    expect((await manager.list()).every(({ running }) => !running)).toBe(true);
    await expect(manager.start("late", {})).rejects.toMatchObject({ kind: "closed" });
  });

  it("are remembered, the last 64 of them, those that run in any case", async () => {
    const { manager } = commands();
    await manager.start("stays", {});
    for (let index = 0; index < 70; index += 1) await manager.start(`short ${index}`, {});
    const listed = await manager.list();
    expect(listed).toHaveLength(64);
    expect(listed[0]?.command).toBe("stays");
    expect(listed.at(-1)?.command).toBe("short 69");
    await expect(manager.output("bg-2", 0)).rejects.toMatchObject({ kind: "usage" });
    await manager.close();
  });

  it("that do not start at all say so to whoever started them, and run nothing", async () => {
    const { manager } = commands();
    await expect(manager.start("broken", {})).rejects.toThrow(/^no such place$/);
    expect(await manager.list()).toMatchObject([{ running: false }]);
    await expect(manager.stop("bg-7")).rejects.toMatchObject({ kind: "usage" });
    await manager.close();
  });
});
