import { Env, type EnvOf, type Extended } from "@ashlar/env";
import { IO } from "./io.js";

/** What this layer adds to every Env. */
export interface IOAdds {
  members: {
    /** The one IO of that model in this Env; a new one after it was closed. Selector as for `env.connection`. */
    io(selector: string): IO;
  };
  settings: {
    think: string | undefined;
    timeout: number | string;
    connectTimeout: number | string | undefined;
    firstEventTimeout: number | string;
    stuckTimeout: number | string;
  };
}

const plugin: Extended<typeof Env, IOAdds> = Env.extend<IOAdds>({
  name: "io",
  methods: {
    io(selector) {
      return new IO(this.connection(selector));
    },
  },
  settings: {
    think: { schema: { type: "string" }, default: undefined, description: "thinking level" },
    timeout: { schema: {}, default: 1_048_575, description: "whole request" },
    connectTimeout: { schema: {}, default: undefined, description: "until the connection stands" },
    firstEventTimeout: { schema: {}, default: 600_000, description: "until the first event" },
    stuckTimeout: { schema: {}, default: 120_000, description: "between two events" },
  },
});
export const IOEnv: typeof plugin.Env = plugin.Env;
export type IOEnv = EnvOf<typeof IOEnv>;
