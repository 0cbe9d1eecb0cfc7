import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { dirname, join } from "node:path";
import { inspect } from "node:util";
import type { CatalogueQuery, DetectQuery, LoginInput, ModelMetadata } from "@ashlar/context/provider";
import { defineProvider } from "@ashlar/context/provider";
import { Env, type EnvOptions } from "@ashlar/env";
import { onTestFinished } from "vitest";
import { tempFolder } from "../temp-folder.js";
import { answer, startHttpServer, type TestServer } from "../transport/test-server.js";

/** A failure of the lab's server, as a provider would report it. */
class LabError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function models({ url, auth, fetch, signal }: CatalogueQuery): Promise<Record<string, ModelMetadata>> {
  const headers = auth?.token === undefined ? {} : { authorization: `Bearer ${auth.token}` };
  const response = await fetch(`${url}/models`, { headers, signal });
  // Naming the token is what a careless provider does.
  if (!response.ok) throw new LabError(response.status, `status ${response.status} for ${auth?.token}`);
  // The server in these tests answers in this shape.
  return (await response.json()) as Record<string, ModelMetadata>;
}

/** A provider as a third party would write it, with two tools of its own. */
export const Lab = defineProvider(
  class Lab {
    static readonly contract = 1;
    _open = true;
    close(): void {
      this._open = false;
    }

    static readonly provider = {
      label: "Lab",
      capabilities: {
        streaming: true,
        thinking: ["off", "high"],
        tools: { search: { description: "Search." }, paint: { description: "Paint." } },
      },
    };
    static readonly knownEndpoints = [{ name: "lab", label: "Lab", url: "https://lab.invalid/v1" }];
    static readonly models = models;
    static async testConnection(query: CatalogueQuery): Promise<Record<string, unknown>> {
      return { models: Object.keys(await models(query)).length };
    }
    static async login({ token }: LoginInput): Promise<{ type: "bearer"; token: string } | { type: "none" }> {
      if (token === "refused") throw new Error("the login server said no to refused");
      return token === undefined ? { type: "none" } : { type: "bearer", token };
    }
  },
);

/** Found by `LAB_URL` and `LAB_TOKEN` in the environment, and by a probe of `LAB_PROBE`. */
export const Found = defineProvider(
  class Found {
    static readonly contract = 1;
    _open = true;
    close(): void {
      this._open = false;
    }

    static readonly provider = {
      label: "Found",
      capabilities: { streaming: true, thinking: [], tools: false },
    };
    static readonly models = models;
    static detectEnvironment({ LAB_URL, LAB_TOKEN }: Readonly<Record<string, string | undefined>>) {
      if (LAB_URL === undefined) return {};
      return {
        found: {
          url: LAB_URL,
          ...(LAB_TOKEN === undefined ? {} : { auth: { type: "api_key" as const, token: LAB_TOKEN } }),
        },
      };
    }
    static async detect({ environment, fetch, signal }: DetectQuery) {
      const url = environment.LAB_PROBE;
      if (url === undefined) return {};
      await fetch(`${url}/up`, { signal });
      return { probed: { url } };
    }
  },
);

/** Reaches no network and shows in no list, like the scripted model. */
export const Scripted = defineProvider(
  class Scripted {
    static readonly contract = 1;
    _open = true;
    close(): void {
      this._open = false;
    }

    static readonly provider = {
      label: "Scripted",
      secret: true,
      capabilities: { streaming: true, thinking: [], tools: true },
    };
    static readonly knownEndpoints = [{ name: "scripted", label: "Scripted", url: "script://here" }];
    static async models() {
      return { echo: {}, read: {} };
    }
  },
);

export const providers: NonNullable<EnvOptions["providers"]> = {
  lab: Lab,
  found: Found,
  scripted: Scripted,
  "openai-chat": Lab,
};

export interface LabServer extends TestServer {
  /** What `/v1/models` answers; undefined: never. */
  models: Readonly<Record<string, ModelMetadata>> | undefined;
  /** The only token that is taken; undefined: none is needed. */
  token: string | undefined;
  status: number;
  /** `url authorization` of each request. */
  readonly seen: string[];
}

export async function startLab(...start: readonly Record<string, ModelMetadata>[]): Promise<LabServer> {
  const seen: string[] = [];
  const server = await startHttpServer((request: IncomingMessage, response) => {
    const authorization = request.headers.authorization ?? "none";
    seen.push(`${request.url} ${authorization}`);
    if (lab.models === undefined) return;
    if (lab.token !== undefined && authorization !== `Bearer ${lab.token}`) answer(response, "who?", 401);
    else answer(response, JSON.stringify(lab.models), lab.status);
  });
  const lab: LabServer = {
    ...server,
    models: start[0] ?? { "m:1": {}, "org/m2": {} },
    token: undefined,
    status: 200,
    seen,
  };
  onTestFinished(() => server.close());
  return lab;
}

/** A person's machine: a project, a home, and what stands in them. */
export interface Home {
  readonly project: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Opens the project; closed after the test at the latest. */
  readonly open: (options?: EnvOptions) => Promise<Env>;
  readonly write: (file: HomeFile, content: unknown) => Promise<string>;
  readonly read: (file: HomeFile) => Promise<string | undefined>;
  readonly modeOf: (file: HomeFile) => Promise<string>;
}

/** A path below the project, or below the home after `~/`. */
export type HomeFile = string;

export async function createHome(environment: Readonly<Record<string, string>> = {}): Promise<Home> {
  const root = await tempFolder();
  const [project, home] = [join(root, "project"), join(root, "home")];
  await mkdir(project);
  await mkdir(home);
  const all = { ASHLAR_HOME: home, HOME: home, ...environment };
  const pathOf = (file: HomeFile): string =>
    file.startsWith("~/") ? join(home, file.slice(2)) : join(project, file);
  return {
    project,
    home,
    environment: all,
    open: async (options = {}) => {
      const env = await Env.open(project, { providers, environment: all, ...options });
      onTestFinished(() => env.close());
      return env;
    },
    write: async (file, content) => {
      const path = pathOf(file);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, typeof content === "string" ? content : JSON.stringify(content), { mode: 0o600 });
      return path;
    },
    read: (file) => readFile(pathOf(file), "utf8").catch(() => undefined),
    modeOf: async (file) => ((await stat(pathOf(file))).mode & 0o777).toString(8),
  };
}

export function messagesOf(env: Env): readonly string[] {
  return env.diagnostics.map(({ message }) => message);
}

/** Everything a person could see of an Env, to look for secrets in. */
export function visible(env: Env, ...more: readonly unknown[]): string {
  const shown = more.map((one) =>
    one instanceof Error ? `${inspect(one)} ${JSON.stringify(one)}` : JSON.stringify(one),
  );
  return [JSON.stringify(env.diagnostics), JSON.stringify([...env.endpoints()]), ...shown].join("\n");
}
