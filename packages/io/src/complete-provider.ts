import type {
  ProviderClass,
  ProviderInstance,
  ProviderMetadata,
  WireContext,
} from "@ashlar/context/provider";
import { IOError } from "./io-error.js";
import { chatWire } from "./wire/openai-chat/index.js";
import { responsesWire } from "./wire/openai-responses/index.js";
import type { Framing, Wire } from "./wire/wire.js";

type WireName = NonNullable<ProviderMetadata["wire"]>;

/** An instance whose wire side is whole; `read` and `close` stay optional, for there the engine's own are enough. */
export interface CompleteInstance extends ProviderInstance {
  readonly context2msg: NonNullable<ProviderInstance["context2msg"]>;
  readonly send: NonNullable<ProviderInstance["send"]>;
  readonly msg2events: NonNullable<ProviderInstance["msg2events"]>;
}

/** A provider class with every member of its wire. */
export interface CompleteProvider {
  readonly create: (url: string, io: WireContext) => CompleteInstance;
  readonly framing: Framing;
}

/** The built-in wires by contract number: what completes a class of one number never changes under it. */
const WIRES: Readonly<Record<number, Readonly<Record<WireName, Wire>>>> = {
  1: { "openai-responses": responsesWire, "openai-chat": chatWire },
};

const completed = new WeakMap<ProviderClass, CompleteProvider>();

/** Completes an accepted class once. Members it has, on its prototype or on the instance, are its own. */
export function completeProvider(Provider: ProviderClass): CompleteProvider {
  const known = completed.get(Provider);
  if (known !== undefined) return known;
  const wire = wireOf(Provider);
  const Whole = withDefaults(Provider, wire);
  const complete: CompleteProvider = {
    // Every member that the interface wants was put on the prototype above, unless the class has its own.
    create: (url, io) => new Whole(url, io) as CompleteInstance,
    framing: Provider.provider.framing ?? wire.framing,
  };
  completed.set(Provider, complete);
  return complete;
}

function wireOf(Provider: ProviderClass): Wire {
  const wires = WIRES[Provider.contract];
  const name = Provider.provider.wire ?? "openai-responses";
  const wire = wires?.[name];
  if (wire !== undefined) return wire;
  const known = Object.keys(WIRES[1] ?? {}).join(", ");
  throw new IOError(
    "usage",
    `Provider ${Provider.name}: no wire "${name}" in contract ${Provider.contract}; known: ${known}.`,
    {
      argument: "provider.wire",
    },
  );
}

/** A subclass, so that private fields work and `this` finds the completed members too. */
function withDefaults(Provider: ProviderClass, wire: Wire): ProviderClass {
  const contexts = new WeakMap<object, WireContext>();
  const Whole = class extends Provider {
    constructor(url: string, io: WireContext) {
      super(url, io);
      contexts.set(this, io);
    }
  };
  const defaults: Required<Pick<ProviderInstance, "context2msg" | "send" | "msg2events">> & ProviderInstance =
    {
      context2msg: wire.context2msg,
      msg2events: wire.msg2events,
      send(this: object, message, base) {
        const io = contexts.get(this);
        if (io === undefined)
          throw new IOError("usage", "send was called on another object than its provider.", {});
        return wire.send(message, base, io);
      },
      ...(wire.reportPlanUsage && { reportPlanUsage: wire.reportPlanUsage }),
      ...(wire.classifyError && { classifyError: wire.classifyError }),
    };
  for (const [name, value] of Object.entries(defaults)) {
    if (name in Provider.prototype) continue;
    Object.defineProperty(Whole.prototype, name, { value, writable: true, configurable: true });
  }
  return Object.freeze(Whole);
}
