import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { contentText } from "@ashlar/context";
import { describe, expect, it } from "vitest";
import { openLab, WIRES } from "../support/fake-models.js";
import { ask } from "../support/open-agent.js";

const answerOf = (result: {
  message?: { content: readonly never[] | readonly object[] } | undefined;
}): string => (result.message === undefined ? "" : contentText(result.message as never));

describe.each(WIRES)("over the wire %s", (wire) => {
  it("reads a real file and quotes it; when the file changes, so does the answer", async () => {
    const lab = await openLab();
    const agent = lab.open(`${wire}/read`);
    await writeFile(join(lab.folder, "NAME.md"), "Basalt is its name\n");
    const first = await ask(agent, "What is this project called? Look into NAME.md.");
    expect(first).toMatchObject({ kind: "success", requests: 2 });
    expect(answerOf(first)).toContain("Basalt is its name");
    await writeFile(join(lab.folder, "NAME.md"), "Granite is its name\n");
    const second = await ask(lab.open(`${wire}/read`), "What is this project called? Look into NAME.md.");
    expect(answerOf(second)).toContain("Granite is its name");
    expect(lab.server.asked().every(({ status }) => status === 200)).toBe(true);
  });

  it("runs calls that came together and sends their results in order", async () => {
    const lab = await openLab();
    await writeFile(join(lab.folder, "README.md"), "readme\n");
    await writeFile(join(lab.folder, "package.json"), "{}\n");
    const agent = lab.open(`${wire}/parallel`);
    expect(await ask(agent)).toMatchObject({ kind: "success" });
    const results = agent.context.messages().filter(({ type }) => type === 4);
    expect(results.map(contentText)).toEqual(["readme\n", "{}\n"]);
  });

  it.each([
    { model: "401", kind: "auth", exitCode: 2, requests: 1 },
    { model: "400", kind: "provider", exitCode: 4, requests: 1 },
    { model: "500", kind: "provider", exitCode: 4, requests: 3 },
    { model: "500-then-ok", kind: "success", exitCode: 0, requests: 2 },
    { model: "overflow", kind: "provider", exitCode: 4, requests: 1 },
    { model: "empty", kind: "provider", exitCode: 4, requests: 2 },
    { model: "error-after-200", kind: "provider", exitCode: 4, requests: 3 },
    { model: "cut", kind: "network", exitCode: 3, requests: 3 },
    { model: "reset", kind: "network", exitCode: 3, requests: 3 },
    { model: "length", kind: "success", exitCode: 0, requests: 1 },
  ])("ends model $model as $kind", async ({ model, kind, exitCode, requests }) => {
    const lab = await openLab();
    const result = await ask(lab.open(`${wire}/${model}`));
    expect(result).toMatchObject({ kind, exitCode, requests });
    expect(lab.server.asked()).toHaveLength(requests);
  });

  it("says that nobody is there", async () => {
    const lab = await openLab({ deaf: true });
    expect(await ask(lab.open(`${wire}/ok`))).toMatchObject({ kind: "network", exitCode: 3, requests: 3 });
  });

  it("does not take half an answer for one, and the next turn is fine", async () => {
    const lab = await openLab();
    const agent = lab.open(`${wire}/error-after-200`);
    const result = await ask(agent);
    expect(result).toMatchObject({ status: "failed", kind: "provider" });
    expect(result.error).toContain("out of memory");
    expect(lab.server.asked().length).toBeLessThanOrEqual(3);
    expect(agent.context.at(-1)).toMatchObject({
      incomplete: true,
      error: expect.stringContaining("out of memory"),
    });
    agent.model = `${wire}/ok`;
    expect(await ask(agent, "and now?")).toMatchObject({ kind: "success" });
    expect(lab.server.asked().at(-1)?.status).toBe(200);
  });

  it("ends a loop by itself, and the session goes on", async () => {
    const lab = await openLab();
    await writeFile(join(lab.folder, "README.md"), "readme\n");
    const agent = lab.open(`${wire}/loop`);
    expect(await ask(agent)).toMatchObject({ kind: "budget", exitCode: 6, stop: { rule: "repeat" } });
    expect(lab.server.asked()).toHaveLength(8);
    agent.model = `${wire}/ok`;
    expect(await ask(agent, "stop")).toMatchObject({ kind: "success" });
  });

  it("answers a tool that nobody offered with the list", async () => {
    const lab = await openLab();
    const agent = lab.open(`${wire}/unknown-tool`);
    expect(await ask(agent)).toMatchObject({ kind: "success" });
    const [result] = agent.context.messages().filter(({ type }) => type === 4);
    expect(result && contentText(result)).toContain('There is no tool "constructor". The tools are: read.');
  });

  it("closes the socket when it is cancelled, wherever the stream stands", async () => {
    for (const model of ["stall", "stall-after-headers", "stall-after-text"]) {
      const lab = await openLab();
      const agent = lab.open(`${wire}/${model}`);
      agent.send("hello");
      const running = agent.run();
      while (lab.server.asked().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
      await new Promise((resolve) => setTimeout(resolve, 30));
      agent.cancel();
      expect(await running).toMatchObject({ status: "cancelled", kind: "cancelled", exitCode: 130 });
      const [request] = lab.server.asked();
      await request?.closed;
      expect(request?.closedEarly).toBe(true);
      agent.model = `${wire}/ok`;
      expect(await ask(agent, "are you there?")).toMatchObject({ kind: "success" });
    }
  });

  it("gives up on silence after the time it was given, and loses no message that was sent meanwhile", async () => {
    const lab = await openLab({ settings: { stuckTimeout: 150, retry: { attempts: 2, base: 10 } } });
    for (const model of ["stall", "stall-after-headers", "keepalive-forever"]) {
      const agent = lab.open(`${wire}/${model}`);
      agent.send("hello");
      const running = agent.run();
      agent.send("are you there?");
      expect(await running).toMatchObject({ kind: "network", exitCode: 3, requests: 2 });
      expect(
        agent.pending + agent.context.messages().filter(({ type }) => type === 2).length,
      ).toBeGreaterThan(0);
      for (const request of lab.server.asked()) {
        await request.closed;
        expect(request.closedEarly).toBe(true);
      }
    }
  });
});

it("keeps what the model said when the run is cancelled in the middle of it", async () => {
  const lab = await openLab();
  const agent = lab.open("ollama/stall-after-text");
  agent.send("hello");
  const running = agent.run();
  const { EVENT } = await import("@ashlar/agent").then(({ Agent }) => Agent);
  await new Promise((resolve) => agent.onEvent(EVENT.TEXT_DELTA, resolve));
  agent.cancel();
  await running;
  expect(agent.context.at(-1)).toMatchObject({ type: 3, incomplete: true });
  expect(agent.context.at(-1)).not.toHaveProperty("error");
});

it.each([
  { why: "two seconds", header: "2", least: 2_000, most: 5_000 },
  { why: "a date", header: () => new Date(Date.now() + 3_000).toUTCString(), least: 2_000, most: 7_000 },
])("waits as long as the server asks: $why", async ({ header, least, most }) => {
  const lab = await openLab({
    settings: { retry: { base: 2_000, max: 30_000 } },
    server: {
      script: ({ attempt }) =>
        attempt > 0
          ? undefined
          : {
              status: 429,
              error: "slow down",
              headers: { "retry-after": typeof header === "string" ? header : header() },
            },
    },
  });
  expect(await ask(lab.open("chat/ok"))).toMatchObject({ kind: "success", requests: 2 });
  const [first, second] = lab.server.asked();
  const waited = (second?.at ?? 0) - (first?.at ?? 0);
  expect(waited).toBeGreaterThanOrEqual(least);
  expect(waited).toBeLessThan(most);
});

it.each([
  { why: "an epoch value", header: "1893456000", requests: 1, throttled: true },
  { why: "a negative number", header: "-5", requests: 3, throttled: false },
  { why: "a word", header: "soon", requests: 3, throttled: false },
  { why: "nothing", header: "", requests: 3, throttled: false },
])("is not fooled by a Retry-After that is $why", async ({ header, requests, throttled }) => {
  const lab = await openLab({
    server: { script: () => ({ status: 429, error: "slow down", headers: { "retry-after": header } }) },
  });
  const result = await ask(lab.open("chat/ok"));
  expect(result).toMatchObject({ kind: "provider", exitCode: 4, requests });
  expect(result.throttledUntil !== undefined).toBe(throttled);
  expect(lab.server.asked()).toHaveLength(requests);
});

it("ends a wait at once when it is cancelled", async () => {
  const lab = await openLab({
    settings: { retry: { base: 20_000 } },
    server: { script: () => ({ status: 503, error: "later", headers: { "retry-after": "20" } }) },
  });
  const agent = lab.open("chat/ok");
  agent.send("hello");
  const running = agent.run();
  while (!lab.events.some(({ type }) => type === "retry"))
    await new Promise((resolve) => setTimeout(resolve, 5));
  agent.cancel();
  expect(await running).toMatchObject({ kind: "cancelled", requests: 1 });
});

it("sends a bad request once, whatever Retry-After says, and a failing one with growing gaps", async () => {
  const bad = await openLab({
    server: { script: () => ({ status: 400, error: "bad", headers: { "retry-after": "2" } }) },
  });
  expect(await ask(bad.open("chat/ok"))).toMatchObject({ kind: "provider", requests: 1 });
  const busy = await openLab({
    settings: { retry: { base: 60 } },
    server: { script: () => ({ status: 503, error: "busy", headers: { "retry-after": "0" } }) },
  });
  expect(await ask(busy.open("chat/ok"))).toMatchObject({ kind: "provider", requests: 3 });
  const [first, second, third] = busy.server.asked().map(({ at }) => at);
  expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(59);
  expect((third ?? 0) - (second ?? 0)).toBeGreaterThan((second ?? 0) - (first ?? 0));
});

it("never runs a call that the output limit cut", async () => {
  for (const model of ["cut-arguments", "cut-arguments-stop"]) {
    const lab = await openLab({
      tools: {
        write: { description: "Writes.", safe: true, inputSchema: { type: "object" }, fn: () => "written" },
      },
    });
    const result = await ask(lab.open(`chat/${model}`));
    expect(result).toMatchObject({ kind: "budget", exitCode: 6, stop: { rule: "cut" } });
    expect(lab.server.asked()).toHaveLength(3);
    expect(lab.events.some(({ type }) => type === "tool_execute")).toBe(false);
  }
});

it("plays the embedded scripted model", async () => {
  const lab = await openLab();
  await writeFile(join(lab.folder, "README.md"), "# Basalt\n");
  const result = await ask(lab.open("test/read"), "What is this project called?");
  expect(answerOf(result)).toContain("Basalt");
});
