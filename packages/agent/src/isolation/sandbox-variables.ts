import type { Env } from "@ashlar/env";

/** What the sandbox is looked for by: the Env's variables, and the program's own where the Env has none. */
export function sandboxVariables({ childEnvironment }: Env): Readonly<Record<string, string | undefined>> {
  const variable = (name: string): string | undefined => childEnvironment[name] ?? process.env[name];
  return { PATH: variable("PATH"), ASHLAR_OS_SANDBOX: variable("ASHLAR_OS_SANDBOX") };
}
