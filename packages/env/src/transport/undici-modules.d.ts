// undici publishes types for its root only; these are the parts the transport loads.
declare module "undici/lib/dispatcher/client.js" {
  import type { Client } from "undici";

  const client: typeof Client;
  export default client;
}
declare module "undici/lib/core/connect.js" {
  import type { buildConnector } from "undici";

  const connect: typeof buildConnector;
  export default connect;
}
