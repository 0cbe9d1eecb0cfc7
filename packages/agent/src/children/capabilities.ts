/** What an agent may do, live: what is assigned counts from the next call on. A child never has more than its parent. */
export interface AgentCapabilities {
  /** May change things. False, whatever was assigned, once no working sandbox was found. */
  write: boolean;
  /** May have workers made; undefined: a person is asked each time. False for a child, whatever was assigned. */
  spawn: boolean | undefined;
  /** Sandboxed calls may use the network that the settings give. False: they reach nothing but themselves. */
  network: boolean;
}

/** What is asked for when an agent is made; what is left out is `{ write: true, network: true }`. */
export interface RequestedCapabilities {
  readonly write?: boolean;
  readonly spawn?: boolean | undefined;
  readonly network?: boolean;
}

/** What else bears on them. */
export interface CapabilityLimits {
  /** Why nothing can be changed; undefined as long as nothing speaks against it. */
  readonly refusal: string | undefined;
  /** The Env may only be looked at. */
  readonly readOnly: boolean;
  readonly parent: AgentCapabilities | undefined;
}

export class Capabilities implements AgentCapabilities {
  readonly #limits: CapabilityLimits;
  #write: boolean;
  #spawn: boolean | undefined;
  #network: boolean;

  constructor(limits: CapabilityLimits, { write = true, spawn, network = true }: RequestedCapabilities) {
    this.#limits = limits;
    this.#write = write;
    this.#spawn = spawn;
    this.#network = network;
  }

  get write(): boolean {
    const { readOnly, refusal, parent } = this.#limits;
    return this.#write && !readOnly && refusal === undefined && (parent?.write ?? true);
  }
  set write(value: boolean) {
    if (this.#limits.readOnly) throw new TypeError("can.write: an agent over env.safe never writes.");
    this.#write = value;
  }

  get spawn(): boolean | undefined {
    return this.#limits.parent === undefined ? this.#spawn : false;
  }
  set spawn(value: boolean | undefined) {
    this.#spawn = value;
  }

  get network(): boolean {
    return this.#network && (this.#limits.parent?.network ?? true);
  }
  set network(value: boolean) {
    this.#network = value;
  }
}
