// biome-ignore-all lint/complexity/noStaticOnlyClass: a provider is a class; a wire completes its instances
import type { ResponseEvent } from "@ashlar/context";
import { defineProvider, type ProviderMetadata, type WireContext } from "@ashlar/context/provider";
import { describe, expect, it } from "vitest";
import { completeProvider } from "../src/complete-provider.js";
import { chatWire } from "../src/wire/openai-chat/index.js";
import { responsesWire } from "../src/wire/openai-responses/index.js";

const metadata = (more: Partial<ProviderMetadata> = {}): ProviderMetadata => ({
  label: "x",
  capabilities: { streaming: true, thinking: [], tools: true },
  ...more,
});
// The defaults are compared, not called.
const io = { url: "http://127.0.0.1:1" } as WireContext;
const done: readonly ResponseEvent[] = [{ type: "done" }];

describe("completing a provider class", () => {
  it("fills every missing member from the Responses wire", () => {
    class Bare {
      static readonly contract = 1;
      static readonly provider = metadata();
    }
    const instance = completeProvider(defineProvider(Bare)).create("u", io);
    expect(instance.context2msg).toBe(responsesWire.context2msg);
    expect(instance.msg2events).toBe(responsesWire.msg2events);
    expect(instance).toBeInstanceOf(Bare);
  });

  it("fills from the wire that the class names", () => {
    class Chat {
      static readonly contract = 1;
      static readonly provider = metadata({ wire: "openai-chat" });
    }
    expect(completeProvider(defineProvider(Chat)).create("u", io).msg2events).toBe(chatWire.msg2events);
  });

  it("keeps what the class has, inherited, private and on the instance", () => {
    class Parent {
      readonly #events = done;
      msg2events() {
        return this.#events;
      }
    }
    class Own extends Parent {
      static readonly contract = 1;
      static readonly provider = metadata({ framing: "ndjson" });
      readonly context2msg = () => [{}, "mine"] as const;
    }
    const complete = completeProvider(defineProvider(Own));
    const instance = complete.create("u", io);
    expect(instance.msg2events(null, {}, io)).toBe(done);
    expect(instance.context2msg([], io)).toEqual([{}, "mine"]);
    expect(complete.framing).toBe("ndjson");
  });

  it("is done once for a class", () => {
    class Once {
      static readonly contract = 1;
      static readonly provider = metadata();
    }
    expect(completeProvider(Once)).toBe(completeProvider(Once));
  });

  it("leaves the class itself as it was", () => {
    class Untouched {
      static readonly contract = 1;
      static readonly provider = metadata();
    }
    completeProvider(Untouched).create("u", io);
    expect(Object.getOwnPropertyNames(Untouched.prototype)).toEqual(["constructor"]);
  });

  it("refuses a wire that nobody knows", () => {
    class Odd {
      static readonly contract = 1;
      // The compiler refuses it; a plugin written in JavaScript has no compiler.
      static readonly provider = metadata({ wire: "telex" as "openai-chat" });
    }
    expect(() => completeProvider(Odd)).toThrow(
      expect.objectContaining({ kind: "usage", message: expect.stringContaining('"telex"') }),
    );
  });
});
