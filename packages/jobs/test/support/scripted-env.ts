import { join } from "node:path";
import { AgentEnv } from "@ashlar/agent";
import type { Script } from "@ashlar/provider-test";
import { Test } from "@ashlar/provider-test";
import { onTestFinished } from "vitest";

export interface ScriptedEnvOptions {
  readonly script: Script;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly tools?: NonNullable<Parameters<typeof AgentEnv.open>[1]>["tools"];
}

/** An Env of the project with a scripted model, `test/script`, and a home of its own. */
export async function scriptedEnv(
  root: string,
  { script, settings, tools }: ScriptedEnvOptions,
): Promise<AgentEnv> {
  const home = join(root, "home");
  const env = await AgentEnv.open(root, {
    settings: { ...settings, providers: { test: { script } } },
    providers: { test: Test },
    ...(tools !== undefined && { tools }),
    environment: { PATH: process.env.PATH, HOME: home, ASHLAR_HOME: home },
  });
  onTestFinished(() => env.close());
  return env;
}
