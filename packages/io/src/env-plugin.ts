import { Env, type EnvOf, type Extended, parseDuration, type Setting } from "@ashlar/env";
import { IO } from "./io.js";
import { THINKING_LEVELS } from "./thinking.js";
import { DEFAULT_FIRST_EVENT_MS, DEFAULT_IDLE_MS, DEFAULT_OVERALL_MS } from "./timeouts.js";

/** Milliseconds, or a text such as `30s`; undefined where nobody set it. */
type DurationSetting = number | string | undefined;

/** What this layer adds to every Env. */
export interface IOAdds {
  members: {
    /**
     * The IO of that model in this Env, a new one after it was closed. Its users take turns: it runs one request at a
     * time. Selector as for `env.connection`. Throws as that does.
     */
    io(selector: string): IO;
  };
  settings: {
    think: string | boolean | undefined;
    timeout: DurationSetting;
    connectTimeout: DurationSetting;
    firstEventTimeout: DurationSetting;
    stuckTimeout: DurationSetting;
  };
}

interface Held {
  readonly io: IO;
  readonly url: string;
}

/** By Env, its safe view included, and then by qualified model. */
const held = new WeakMap<object, Map<string, Held>>();

const plugin: Extended<typeof Env, IOAdds> = Env.extend<IOAdds>({
  name: "io",
  methods: {
    io(selector) {
      const { endpoint, model, url } = this.connection(selector, { remember: false });
      const qualified = `${endpoint}/${model}`;
      const ios = held.get(this.safe) ?? new Map<string, Held>();
      held.set(this.safe, ios);
      const known = ios.get(qualified);
      if (known !== undefined && known.io.state !== "closed" && known.url === url) return known.io;
      const io = new IO(this.connection(qualified), {
        defaults: () => requestDefaults(this),
      });
      ios.set(qualified, { io, url });
      return io;
    },
  },
  settings: {
    think: {
      schema: { anyOf: [{ type: "string" }, { type: "boolean" }] },
      default: undefined,
      description: `How hard models think: ${THINKING_LEVELS.join(", ")}, or a mode of the model's own. Default: the model's.`,
      layers: ["package", "packages", "user", "project", "constructor"],
    },
    timeout: limit("The whole of one request to a model", DEFAULT_OVERALL_MS),
    connectTimeout: limit("Until the connection to the server stands", undefined),
    firstEventTimeout: limit(
      "From sending a request to the model's first event; a cold model loads for minutes",
      DEFAULT_FIRST_EVENT_MS,
    ),
    stuckTimeout: limit(
      "Between two events of the model; when set, also for the first one unless firstEventTimeout is set",
      DEFAULT_IDLE_MS,
    ),
  },
});
export const IOEnv: typeof plugin.Env = plugin.Env;
export type IOEnv = EnvOf<typeof IOEnv>;

/**
 * What an Env's settings say of every request, for `new IO(connection, { defaults })`: durations in milliseconds.
 * Throws kind `settings` for one that is none.
 */
export function requestDefaults(env: Env): Readonly<Record<string, unknown>> {
  const { think, ...limits } = plugin.settings(env);
  const durations = Object.entries(limits).flatMap(([key, value]) => {
    if (value === undefined) return [];
    // 0 stands for no limit, which is no duration.
    return [[key, value === 0 ? 0 : parseDuration(value, key)] as const];
  });
  return { think, ...Object.fromEntries(durations) };
}

/** Unset means the default, so that a provider's own limit can stand between the two. */
function limit(description: string, defaultMs: number | undefined): Setting<DurationSetting> {
  return {
    schema: {
      anyOf: [
        { type: "number", minimum: 0 },
        { type: "string", minLength: 2 },
      ],
    },
    default: undefined,
    description: `${description}: milliseconds or a text such as "30s", 0 for no limit. Default: ${defaultMs ?? "30 s and 1 ms a byte of the request, 2 minutes at most"}.`,
    layers: ["package", "packages", "user", "project", "constructor"],
  };
}
