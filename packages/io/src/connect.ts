import type { AuthRecord, ModelMetadata, ProviderClass } from "@ashlar/context/provider";
import type { Connection } from "@ashlar/env";
import type { Transport } from "@ashlar/env/transport";
import { IOError } from "./io-error.js";

export interface ConnectOptions {
  /** Default: the first endpoint the provider knows. */
  readonly url?: string;
  readonly model: string;
  /** Name of the endpoint in the qualified model. Default: the known endpoint's name, else the provider's label. */
  readonly endpoint?: string;
  /** A text is an API key. Kept in memory only. */
  readonly auth?: string | AuthRecord;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly info?: ModelMetadata;
  readonly transport?: Transport;
}

/** A connection without an Env and without files. Throws kind `usage`. */
export function connect(_Provider: ProviderClass, _options: ConnectOptions): Connection {
  throw new IOError("usage", "not wired yet", {});
}
