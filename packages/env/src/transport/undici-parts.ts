/// <reference path="./undici-modules.d.ts" />
import type { buildConnector, Client } from "undici";

export interface UndiciParts {
  readonly Client: typeof Client;
  readonly buildConnector: typeof buildConnector;
}

let loading: Promise<UndiciParts> | undefined;

/** Loads the HTTP client alone, at the first request: the whole of undici costs three times as much to import. */
export function loadUndici(): Promise<UndiciParts> {
  loading ??= Promise.all([
    import("undici/lib/dispatcher/client.js"),
    import("undici/lib/core/connect.js"),
  ]).then(([client, connect]) => ({ Client: client.default, buildConnector: connect.default }));
  return loading;
}
