// biome-ignore-all lint/complexity/noStaticOnlyClass: a provider is a class by contract
import { accept, defineProvider, PROVIDER_CONTRACT } from "@ashlar/context/provider";
import { describe, expect, it } from "vitest";
import { failureOf } from "../support/failure.js";
import { brokenClasses, Whole } from "./broken-classes.js";

it("returns the class it accepts, as often as it is asked", () => {
  expect(accept(Whole)).toBe(Whole);
  expect(accept(accept(Whole), "Local")).toBe(Whole);
});

it("takes a class with nothing of its own but its number and its metadata", () => {
  class Smallest {
    static readonly contract = PROVIDER_CONTRACT;
    static readonly provider = { label: "S", capabilities: { streaming: true, thinking: [], tools: false } };
  }
  expect(defineProvider(Smallest)).toBe(Smallest);
});

it("counts members of a base class, also one half of a pair on each", () => {
  class Base {
    static readonly contract = 1;
    static readonly provider = { label: "B", capabilities: { streaming: true, thinking: [], tools: false } };
    async send() {
      return undefined;
    }
  }
  class Derived extends Base {
    async read() {
      return null;
    }
  }
  expect(defineProvider(Derived)).toBe(Derived);
});

it("takes an old-style class", () => {
  function Old() {}
  Object.assign(Old, {
    contract: 1,
    provider: { label: "O", capabilities: { streaming: true, thinking: [], tools: false } },
  });
  expect(accept(Old)).toBe(Old);
});

it("freezes the metadata, all the way down", () => {
  const { provider } = accept(Whole);
  expect(Object.isFrozen(provider) && Object.isFrozen(provider.capabilities.thinking)).toBe(true);
});

it("does not ask an accessor for its value", () => {
  class Lazy extends Whole {
    static get models() {
      throw new Error("asked too early");
    }
  }
  expect(accept(Lazy)).toBe(Lazy);
});

describe("a class that breaks the contract", () => {
  it.each(brokenClasses)("is refused and told what to do: $why", ({ subject, text }) => {
    const failure = failureOf(() => accept(subject));
    expect(failure.kind).toBe("contract");
    expect(failure.message).toMatch(text);
  });

  it("is refused when it is defined as well", () => {
    class Typo extends Whole {
      context2mesg() {}
    }
    // @ts-expect-error context2mesg is no member of the provider contract
    expect(failureOf(() => defineProvider(Typo)).kind).toBe("contract");
  });

  it("goes by the name that the host knows it by", () => {
    const failure = failureOf(() => accept(class {}, "ashlar-provider-foo"));
    expect(failure.message).toMatch(/^ashlar-provider-foo: /);
    expect(failure.details).toEqual({ name: "ashlar-provider-foo" });
  });

  it("says which member and which number it was", () => {
    class Next {
      static readonly contract = 3;
    }
    expect(failureOf(() => accept(Next)).details).toEqual({ name: "Next", contract: 3 });
    class Typo extends Whole {
      sned() {}
    }
    expect(failureOf(() => accept(Typo)).details).toEqual({ name: "Typo", member: "sned" });
  });
});
