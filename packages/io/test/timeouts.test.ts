import type { ProviderMetadata } from "@ashlar/context/provider";
import { describe, expect, it } from "vitest";
import { connectLimit, resolveLimits, type TimeoutSources } from "../src/timeouts.js";

const provider: ProviderMetadata = {
  label: "x",
  capabilities: { streaming: true, thinking: [], tools: true },
};
const none: TimeoutSources = { request: undefined, io: undefined, settings: [], provider };

describe("resolving the limits of a request", () => {
  it("has defaults", () => {
    expect(resolveLimits(none)).toEqual({
      connectMs: undefined,
      firstEventMs: 600_000,
      idleMs: 120_000,
      overallMs: 1_048_575,
    });
  });

  it("takes the request's option, then the IO's, then the settings, then the provider's", () => {
    const sources: TimeoutSources = {
      request: { idleMs: 1 },
      io: { idleMs: 2, overallMs: 2 },
      settings: [{ timeout: 3, connectTimeout: 3000 }, { connectTimeout: 9 }],
      provider: { ...provider, stuckTimeout: 4, timeout: 4, connectTimeout: 4, firstEventTimeout: 4 },
    };
    expect(resolveLimits({ ...sources, request: { ...sources.request, firstEventMs: 7 } })).toEqual({
      connectMs: 3000,
      firstEventMs: 7,
      idleMs: 1,
      overallMs: 2,
    });
    expect(resolveLimits({ ...none, provider: sources.provider })).toEqual({
      connectMs: 4,
      firstEventMs: 4,
      idleMs: 4,
      overallMs: 4,
    });
  });

  it("bounds the wait for the first event by an idle limit that somebody set, unless that is set too", () => {
    expect(resolveLimits({ ...none, settings: [{ stuckTimeout: 3000 }] }).firstEventMs).toBe(3000);
    const both = resolveLimits({ ...none, settings: [{ stuckTimeout: 3000, firstEventTimeout: 3_600_000 }] });
    expect(both.firstEventMs).toBe(3_600_000);
  });

  it("takes 0 for no limit", () => {
    expect(resolveLimits({ ...none, settings: [{ timeout: 0 }] }).overallMs).toBe(0);
  });

  it.each([
    { settings: [{ stuckTimeout: "30s" }], argument: "stuckTimeout" },
    { settings: [{ timeout: -1 }], argument: "timeout" },
    { settings: [{ timeout: true }], argument: "timeout" },
    { settings: [], request: { idleMs: Number.NaN }, argument: "timeouts.idleMs" },
  ])("refuses what is no duration and names $argument", ({ settings, request, argument }) => {
    expect(() => resolveLimits({ ...none, settings, request })).toThrow(
      expect.objectContaining({ kind: "usage", details: { argument } }),
    );
  });

  it("gives a large body more time to connect, up to a bound, and a given limit as it is", () => {
    expect(connectLimit(undefined, 500)).toBe(30_500);
    expect(connectLimit(undefined, 50_000_000)).toBe(120_000);
    expect(connectLimit(5, 50_000_000)).toBe(5);
  });
});
