import type { AuthRecord, ModelMetadata, ProviderClass } from "@ashlar/context/provider";
import type { Transport } from "./transport/transport.js";

/** Everything IO needs to talk to one model: a value, whoever made it (`env.connection()`, or `connect()` in io). */
export interface Connection {
  readonly endpoint: string;
  readonly model: string;
  readonly Provider: ProviderClass;
  readonly url: string;
  /** Endpoint settings with the model's merged over them; read live on every request. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly info: ModelMetadata;
  readonly transport: Transport;
  readonly auth: () => AuthRecord | undefined;
  /** Reads the stored credentials again; true when they are other than before. */
  readonly authReload?: () => Promise<boolean>;
  readonly authSet?: (auth: AuthRecord) => Promise<void>;
}
