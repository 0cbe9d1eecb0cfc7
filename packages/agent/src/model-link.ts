import type { Connection, Env } from "@ashlar/env";
import { type ContextUsage, IO, requestDefaults } from "@ashlar/io";
import type { StreamFunction } from "./stream-function.js";

/** How an agent reaches its model: a connection of the Env and an IO of the agent's own, or a stream it was given. */
export interface ModelLink {
  readonly stream: StreamFunction;
  /** The stream is not our IO. */
  readonly foreign: boolean;
  readonly price: { readonly input: number; readonly output: number } | undefined;
  /** What the provider measured last, and the window in force. */
  readonly contextUsage: () => ContextUsage | undefined;
  readonly authReload: () => Promise<boolean>;
  readonly close: () => Promise<void>;
}

/** An IO of this agent's own, so that agents of one model do not wait for each other. */
export function linkModel(env: Env, selector: string): ModelLink {
  const connection: Connection = env.connection(selector);
  // A wrong duration in the settings is an error before the run, not a failed request in it.
  requestDefaults(env);
  const open = (): IO => new IO(withoutReload(connection), { defaults: () => requestDefaults(env) });
  let io = open();
  return {
    stream: (context, sink, { model: _model, ...options }) => {
      if (io.state === "closed") io = open();
      return io.write(context, sink, options);
    },
    foreign: false,
    price: connection.info.price,
    contextUsage: () => io.contextUsage,
    authReload: async () => (await connection.authReload?.()) ?? false,
    close: () => io.close(),
  };
}

/**
 * IO would send the second try after refused credentials itself, outside the run's budget and its events. The prototype
 * keeps what is live in the connection.
 */
function withoutReload(connection: Connection): Connection {
  return Object.create(connection, { authReload: { value: undefined } });
}

export function linkStream(stream: StreamFunction): ModelLink {
  return {
    stream,
    foreign: true,
    price: undefined,
    contextUsage: () => undefined,
    authReload: async () => false,
    close: async () => {},
  };
}
