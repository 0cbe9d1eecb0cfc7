import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { behaviours, fakeLLMCommand, startFakeLLM } from "../src/index.js";

async function run(
  args: readonly string[],
): Promise<{ code: number; out: string; err: string; stop: () => void }> {
  let out = "";
  let err = "";
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const host = {
    stdout: (line: string) => {
      out += `${line}\n`;
      // The first line says that it serves; these tests want no more of it.
      stop();
    },
    stderr: (line: string) => {
      err += `${line}\n`;
    },
    stopped,
  };
  const code = await fakeLLMCommand(args, host);
  return { code, out, err, stop };
}

describe("fake-llm", () => {
  it("prints its address and its models in one line, and ends when it is stopped", async () => {
    const { code, out, err } = await run([]);
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+ models: ok echo read .*500-then-ok/);
    expect(out.trim().split("\n")).toHaveLength(1);
  });

  it("explains every model in its help", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    for (const { name, about } of behaviours)
      expect(out).toMatch(new RegExp(`^  ${name} +${about.slice(0, 20).replace(/[^\w ]/g, ".")}`, "m"));
  });

  it.each([
    { args: ["--port", "http"], says: '--port: wanted a number from 0 to 65535, found "http"' },
    { args: ["--port", "65536"], says: "--port: wanted" },
    { args: ["--port", ""], says: "--port: wanted" },
    { args: ["--prot", "1"], says: "--prot" },
    { args: ["8080"], says: "8080" },
    { args: ["--host", "256.1.1.1"], says: "cannot listen on 256.1.1.1:0" },
  ])("refuses $args", async ({ args, says }) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain(says);
  });

  it("says that the port is taken", async () => {
    const server = await startFakeLLM();
    const { code, err } = await run(["--port", String(server.port)]);
    await server.close();
    expect([code, err]).toEqual([1, expect.stringContaining("EADDRINUSE")]);
  });

  const bin = fileURLToPath(new URL("../bin/fake-llm.js", import.meta.url));
  const built = existsSync(fileURLToPath(new URL("../dist/index.js", import.meta.url)));
  it.skipIf(!built).each(["SIGINT", "SIGTERM"] as const)(
    "as a process serves until %s and leaves with 0",
    async (signal) => {
      const child = spawn(process.execPath, [bin, "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
      const [line] = await once(child.stdout, "data");
      const [url = ""] = String(line).split(" ");
      expect((await fetch(`${url}/api/version`)).status).toBe(200);
      child.kill(signal);
      expect(await once(child, "exit")).toEqual([0, null]);
    },
  );
});
