// biome-ignore-all lint/complexity/noStaticOnlyClass: a provider is a class by contract
const metadata = {
  label: "Local",
  capabilities: { streaming: true, thinking: ["off", "high"], tools: true },
};

/** A class that keeps the contract; each case below breaks it in one place. */
export class Whole {
  static readonly contract = 1;
  static readonly provider: object = metadata;
  static detectEnvironment() {
    return {};
  }
  static _cache = new Map<string, string>();
  static #count = 0;
  static _counted() {
    Whole.#count += 1;
    return Whole.#count;
  }
  #frames = 0;
  url = "";
  context2msg() {
    return [{}, {}];
  }
  send() {
    return undefined;
  }
  read() {
    this.#frames += 1;
    return this._next();
  }
  _next() {
    return this.#frames;
  }
}

/** Metadata with one field replaced; undefined removes it. */
export function withMetadata(field: string, value: unknown, inside?: "capabilities"): unknown {
  const parts = { ...metadata, capabilities: { ...metadata.capabilities } };
  const target: Record<string, unknown> = inside === undefined ? parts : parts.capabilities;
  if (value === undefined) delete target[field];
  else target[field] = value;
  return class Described {
    static readonly contract = 1;
    static readonly provider = parts;
  };
}

class Bare {
  static readonly contract = 1;
  static readonly provider = metadata;
}

export const brokenClasses: readonly {
  readonly why: string;
  readonly subject: unknown;
  readonly text: RegExp;
}[] = [
  { why: "nothing", subject: undefined, text: /^provider: expected a class, got nothing/ },
  {
    why: "a module instead of its class",
    subject: { Whole },
    text: /^provider: expected a class, got an object; pass what the provider package exports/,
  },
  { why: "an arrow function", subject: () => undefined, text: /^provider: expected a class/ },
  {
    why: "no contract",
    subject: class Old {
      static provider = metadata;
    },
    text: /^Old: it names no contract; its author adds "static readonly contract = 1"/,
  },
  {
    why: "a contract from the future",
    subject: class Next {
      static contract = 2;
      static provider = metadata;
    },
    text: /^Next: it is written for provider contract 2, and this release knows 1; update Ashlar or take an older release/,
  },
  {
    why: "a contract from before there was one",
    subject: class Past {
      static contract = 0;
      static provider = metadata;
    },
    text: /^Past: expected contract = 1, got 0; take a newer release/,
  },
  {
    why: "a contract as text",
    subject: class Word {
      static contract = "1";
      static provider = metadata;
    },
    text: /^Word: expected contract = 1, got a string/,
  },
  {
    why: "a misspelt method",
    subject: class Typo extends Bare {
      context2mesg() {}
    },
    text: /^Typo\.prototype\.context2mesg: no member of the provider contract \(did you mean context2msg\?\); start private names with _ or #/,
  },
  {
    why: "a misspelt static",
    subject: class Typo extends Bare {
      static knownEndpoint = [];
    },
    text: /^Typo\.knownEndpoint: .*did you mean knownEndpoints/,
  },
  {
    why: "a helper that is public",
    subject: class Helper extends Bare {
      parseTheWholeFrame() {}
    },
    text: /^Helper\.prototype\.parseTheWholeFrame: no member of the provider contract; start private names with _ or #$/,
  },
  {
    why: "a stray accessor",
    subject: class Getter extends Bare {
      get endpoint() {
        return 1;
      }
    },
    text: /^Getter\.prototype\.endpoint: no member/,
  },
  {
    why: "a misspelt method on a base class",
    subject: class Derived extends class Base extends Bare {
      clsoe() {}
    } {},
    text: /^Derived\.prototype\.clsoe: .*did you mean close/,
  },
  {
    why: "a member of a prototype's name",
    subject: class Proto extends Bare {
      override hasOwnProperty() {
        return true;
      }
    },
    text: /^Proto\.prototype\.hasOwnProperty: no member/,
  },
  {
    why: "a static that is no function",
    subject: class Wrong extends Bare {
      static models = {};
    },
    text: /^Wrong\.models: expected a function, got an object/,
  },
  {
    why: "a read without a send",
    subject: class Half extends Bare {
      read() {}
    },
    text: /^Half\.read: it needs send beside it/,
  },
  {
    why: "a flag about a member that is not there",
    subject: class Half extends Bare {
      static detectEnvironmentOnly = true;
    },
    text: /^Half\.detectEnvironmentOnly: it needs detectEnvironment beside it/,
  },
  {
    why: "no metadata",
    subject: class Blank {
      static contract = 1;
    },
    text: /^Blank\.provider: expected \{ label, capabilities \}, got nothing/,
  },
  {
    why: "metadata without a label",
    subject: withMetadata("label", undefined),
    text: /^Described\.provider\.label: it is required and missing/,
  },
  {
    why: "an empty label",
    subject: withMetadata("label", ""),
    text: /^Described\.provider\.label: expected a text that is not empty/,
  },
  {
    why: "a misspelt field",
    subject: withMetadata("framming", "ndjson"),
    text: /^Described\.provider\.framming: no such field \(did you mean framing\?\)/,
  },
  {
    why: "a framing nobody knows",
    subject: withMetadata("framing", "jsonl"),
    text: /^Described\.provider\.framing: expected sse or ndjson/,
  },
  {
    why: "a timeout below zero",
    subject: withMetadata("timeout", -1),
    text: /^Described\.provider\.timeout: expected milliseconds, 0 for none/,
  },
  {
    why: "capabilities as text",
    subject: withMetadata("capabilities", "all"),
    text: /^Described\.provider\.capabilities: expected an object/,
  },
  {
    why: "capabilities without streaming",
    subject: withMetadata("streaming", undefined, "capabilities"),
    text: /capabilities\.streaming: it is required/,
  },
  {
    why: "thinking as a flag",
    subject: withMetadata("thinking", true, "capabilities"),
    text: /capabilities\.thinking: expected an array of texts/,
  },
  {
    why: "a default mode that is none",
    subject: withMetadata("thinkingDefault", "max", "capabilities"),
    text: /capabilities\.thinkingDefault: expected one of the thinking modes, got max/,
  },
  {
    why: "tools that are no map",
    subject: withMetadata("tools", ["search"], "capabilities"),
    text: /capabilities\.tools: expected true, false or a map/,
  },
  {
    why: "endpoints that are no array",
    subject: class Ends extends Bare {
      static knownEndpoints = {};
    },
    text: /^Ends\.knownEndpoints: expected an array, got an object/,
  },
  {
    why: "an endpoint without a url",
    subject: class Ends extends Bare {
      static knownEndpoints = [{ name: "a", label: "A" }];
    },
    text: /^Ends\.knownEndpoints\[0\]\.url: expected a text/,
  },
];
