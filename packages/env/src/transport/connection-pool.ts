import type { buildConnector, Client } from "undici";
import { type Connector, createConnector } from "./connector.js";
import type { Route } from "./route.js";
import type { UndiciParts } from "./undici-parts.js";

/** One connection, used by one exchange at a time. */
export interface PooledConnection {
  readonly client: Client;
  /** Keeps it for the next request. */
  readonly release: () => void;
  /** Closes the socket at once, in whatever phase it is. */
  readonly destroy: () => void;
}

/** Idle connections by route. A request owns its connection, so that closing it cannot hit another request. */
export class ConnectionPool {
  readonly #parts: UndiciParts;
  readonly #direct: buildConnector.connector;
  readonly #idle = new Map<string, PooledConnection[]>();
  #closed = false;

  constructor(parts: UndiciParts) {
    this.#parts = parts;
    this.#direct = parts.buildConnector({ timeout: 0 });
  }

  acquire(route: Route, connectTimeoutMs: number): PooledConnection {
    return this.#idle.get(route.key)?.pop() ?? this.#open(route, connectTimeoutMs);
  }

  /** Ends idle connections; those in use end with their exchange. */
  async close(): Promise<void> {
    this.#closed = true;
    const idle = [...this.#idle.values()].flat();
    this.#idle.clear();
    await Promise.all(idle.map(({ client }) => client.close()));
  }

  #open(route: Route, timeoutMs: number): PooledConnection {
    const tunnel = route.absolute ? undefined : route.proxy;
    const connector = createConnector({ parts: this.#parts, direct: this.#direct, tunnel, timeoutMs });
    // Idle timing belongs to whoever reads the answer: a cold model is silent for minutes.
    const client = new this.#parts.Client(route.origin, {
      connect: connector.connect,
      headersTimeout: 0,
      bodyTimeout: 0,
      pipelining: 1,
    });
    const connection = pooled(client, connector, () => this.#keep(route.key, connection));
    client.on("disconnect", () => this.#drop(route.key, connection));
    return connection;
  }

  #keep(key: string, connection: PooledConnection): void {
    if (connection.client.destroyed) return;
    if (this.#closed) {
      connection.destroy();
      return;
    }
    const idle = this.#idle.get(key);
    if (idle === undefined) this.#idle.set(key, [connection]);
    else idle.push(connection);
  }

  #drop(key: string, connection: PooledConnection): void {
    const idle = this.#idle.get(key);
    const index = idle?.indexOf(connection) ?? -1;
    if (idle === undefined || index < 0) return;
    idle.splice(index, 1);
    if (idle.length === 0) this.#idle.delete(key);
    connection.destroy();
  }
}

function pooled(client: Client, connector: Connector, release: () => void): PooledConnection {
  return {
    client,
    release,
    destroy: () => {
      connector.stop();
      void client.destroy();
    },
  };
}
