import type { AgentEnv } from "@ashlar/agent";
import { type Probe, probe } from "@ashlar/sandbox";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";
import { visibleLine } from "../terminal-text.js";

/** Says in plain words what works here. Exit code 0 when a model can be used, 1 when none can. */
export async function doctorCommand(terminal: Terminal): Promise<number> {
  return withEnv(terminal, { collect: true }, async (env) => {
    await env.modelsReady;
    const say = (label: string, text: string): void => terminal.out.write(`${label.padEnd(12)}${text}\n`);
    say("node", `${process.version} on ${process.platform} ${process.arch}`);
    say("project", env.cwd);
    for (const text of endpointLines(env)) say("endpoint", text);
    for (const text of packageLines(env)) say("package", text);
    say("tools", [...env.tools().keys()].join(", "));
    say("sandbox", sandboxStory(await probe({ environment: terminal.environment })));
    if (env.models().size > 0) return 0;
    say("models", "none. Start Ollama, or sign in: ashlar login <endpoint>");
    return 1;
  });
}

function packageLines(env: AgentEnv): readonly string[] {
  return env.packages().map(({ name, version, folder, kinds, contract }) => {
    const contracts = Object.entries(contract).map(([kind, number]) => `${kind} contract ${number}`);
    return visibleLine(`${name} ${version}: ${[kinds.join(", "), ...contracts].join("; ")}, in ${folder}`);
  });
}

function endpointLines(env: AgentEnv): readonly string[] {
  const counts = new Map<string, number>();
  for (const { endpoint } of env.models().values()) counts.set(endpoint, (counts.get(endpoint) ?? 0) + 1);
  return [...env.endpoints().values()]
    .filter(({ secret }) => !secret)
    .map(({ name, url, provider, disabled, loginRequired }) => {
      const state = disabled
        ? "disabled"
        : loginRequired
          ? `sign-in needed: ashlar login ${name}`
          : `${counts.get(name) ?? 0} models`;
      return `${name}: ${url} (${provider}), ${state}`;
    });
}

function sandboxStory({ mechanism, version, confines, reason, remedy }: Probe): string {
  const { files, network, processes } = confines;
  if (files && network && processes) {
    return `${mechanism} ${version ?? ""}: tools that change something run with only this folder writable, and end with their call`;
  }
  const why = [reason, remedy].filter(Boolean).join(" ");
  return `none that confines files, network and processes, so agents only read. ${why}`;
}
