import type { AuthRecord, ModelMetadata, ProviderClass } from "@ashlar/context/provider";
import type { Transport } from "./transport/transport.js";

/** Everything IO needs to talk to one model: a value, whoever made it (`env.connection()`, or `connect()` in io). */
export interface Connection {
  readonly endpoint: string;
  readonly model: string;
  readonly Provider: ProviderClass;
  readonly url: string;
  /** Endpoint settings with the model's merged over them, durations in milliseconds; read live on every request. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly info: ModelMetadata;
  readonly transport: Transport;
  readonly auth: () => AuthRecord | undefined;
  /** Reads the stored credentials again; true when `auth()` gives others than before. */
  readonly authReload?: () => Promise<boolean>;
  /** Stores credentials that the provider renewed, where the old ones are kept. */
  readonly authSet?: (auth: AuthRecord) => Promise<void>;
  /** Tells whether the server took the credentials: sets or clears the endpoint's login mark. */
  readonly authReport?: (outcome: "accepted" | "refused") => void;
}
