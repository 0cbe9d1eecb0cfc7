import { CommandError } from "../command-error.js";
import type { OpenOptions } from "../open-env.js";

/** Flags that `agent` and `io` share. */
export interface RequestFlags {
  readonly model?: string;
  readonly url?: string;
  readonly token?: string;
  readonly timeout?: string;
  readonly think?: string;
  readonly set: readonly string[];
}

/** Flags of `agent` beside those. */
export interface AgentFlags extends RequestFlags {
  readonly tools?: string;
  readonly toolTimeout?: string;
  readonly readOnly?: true;
  /** False: `--no-network`. */
  readonly network?: boolean;
  readonly workers?: true;
  readonly schema?: true;
  /** False: `--no-session`. */
  readonly session?: string | false;
  /** True: without an id. */
  readonly resume?: string | true;
}

interface SettingsTree {
  [key: string]: unknown;
}

/** What these flags mean to an Env. Throws kind `usage` naming the flag. */
export function openOptionsOf(flags: RequestFlags): OpenOptions {
  const settings: SettingsTree = {};
  for (const assignment of flags.set) assign(settings, assignment);
  if (flags.timeout !== undefined) settings.timeout = flags.timeout;
  if (flags.think !== undefined) settings.think = flags.think;
  if (flags.url !== undefined) place(settings, ["providers", endpointOf(flags), "url"], flags.url);
  if (flags.token === undefined) return { settings };
  return { settings, credentials: { [endpointOf(flags)]: { type: "api_key", token: flags.token } } };
}

function endpointOf(flags: RequestFlags): string {
  const slash = flags.model?.indexOf("/") ?? -1;
  if (flags.model === undefined || slash < 1) {
    throw new CommandError(
      "usage",
      "--url and --token need --model <endpoint>/<model>, to say whose they are",
      { argument: "--model" },
    );
  }
  return flags.model.slice(0, slash);
}

function assign(settings: SettingsTree, assignment: string): void {
  const equals = assignment.indexOf("=");
  if (equals < 1) {
    throw new CommandError(
      "usage",
      `--set ${assignment}: write it as key=value, such as budget.requests=20`,
      { argument: "--set" },
    );
  }
  place(settings, assignment.slice(0, equals).split("."), settingValue(assignment.slice(equals + 1)));
}

/** JSON where it is JSON, else text, so that `--set think=high` needs no quotes. */
function settingValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function place(settings: SettingsTree, path: readonly string[], value: unknown): void {
  const last = path.length - 1;
  let node = settings;
  path.forEach((key, index) => {
    if (key === "" || key === "__proto__" || key === "constructor") {
      throw new CommandError("usage", `--set: "${path.join(".")}" is not a settings key`, {
        argument: "--set",
      });
    }
    if (index === last) {
      node[key] = value;
      return;
    }
    const next = node[key];
    const child: SettingsTree = isTree(next) ? next : {};
    node[key] = child;
    node = child;
  });
}

function isTree(value: unknown): value is SettingsTree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
