import { writeEvent } from "../event-lines.js";
import { withEnv } from "../open-env.js";
import type { Terminal } from "../terminal.js";

/** Lists endpoint/model pairs once the model lists are in; an endpoint that does not answer is said on stderr. */
export async function modelsCommand(
  terminal: Terminal,
  flags: { readonly all?: true; readonly json?: true },
): Promise<number> {
  return withEnv(terminal, { collect: true }, async (env) => {
    await env.modelsReady;
    const models = [...env.models(flags.all === true).values()];
    for (const model of models) {
      if (flags.json) writeEvent(terminal.out, model);
      else terminal.out.write(`${line(model)}\n`);
    }
    for (const { name, loginRequired } of env.endpoints().values()) {
      if (loginRequired) terminal.err.write(`ashlar: ${name} wants credentials: ashlar login ${name}\n`);
    }
    if (models.length === 0)
      terminal.err.write("ashlar: no models. Start Ollama, or sign in: ashlar login <endpoint>\n");
    return 0;
  });
}

interface ListedModel {
  readonly endpoint: string;
  readonly model: string;
  readonly disabled: boolean;
  readonly loginRequired: boolean;
  readonly caps: { readonly contextWindow: number | null };
}

function line({ endpoint, model, disabled, loginRequired, caps }: ListedModel): string {
  const marks = [
    caps.contextWindow === null ? "window unknown" : `${caps.contextWindow} tokens`,
    ...(disabled ? ["disabled"] : []),
    ...(loginRequired ? ["sign-in needed"] : []),
  ];
  return `${endpoint}/${model}  (${marks.join(", ")})`;
}
