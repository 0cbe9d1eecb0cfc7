import { fileURLToPath } from "node:url";
import type { ToolContext } from "@ashlar/context/tool";
import { Env } from "@ashlar/env";
import { expect, it, onTestFinished } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));

async function open(settings: object = {}): Promise<{ readonly env: Env; readonly context: ToolContext }> {
  const env = await Env.open(folder, {
    layers: [],
    collect: false,
    settings: { packages: [folder], ...settings },
  });
  onTestFinished(() => env.close());
  const context: ToolContext = {
    env,
    signal: new AbortController().signal,
    deadline: Date.now() + 20_000,
    call: { callId: "c1", name: "days-between" },
    agent: { folder },
    safe: true,
    question: null,
    onData: () => {},
  };
  return { env, context };
}

it("is found by the settings that name it, and says what its setting means", async () => {
  const { env } = await open();
  expect(env.tools().get("days-between")).toMatchObject({
    owner: "ashlar-tools-minimal",
    safe: true,
    hostRoot: false,
  });
  expect(env.settingsSchema()["days-between"]).toMatchObject({ default: { workdays: false } });
});

it.each([
  { why: "forward", workdays: false, from: "2027-03-26", to: "2027-03-30", days: 4 },
  { why: "back", workdays: false, from: "2027-03-30", to: "2027-03-26", days: -4 },
  {
    why: "workdays, when the setting says so",
    workdays: true,
    from: "2027-03-26",
    to: "2027-03-30",
    days: 2,
  },
])("counts days $why", async ({ workdays, from, to, days }) => {
  const { env, context } = await open({ "days-between": { workdays } });
  expect(await env.toolCall("days-between", { from, to }, context)).toBe(`${days} days`);
});

it("names the argument that is no date", async () => {
  const { env, context } = await open();
  await expect(
    env.toolCall("days-between", { from: "today", to: "2027-03-30" }, context),
  ).rejects.toMatchObject({
    kind: "tool",
    message: 'from is "today"; wanted a date such as 2027-03-28',
  });
});
