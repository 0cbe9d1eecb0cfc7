import { Budget, costOf } from "@ashlar/agent/loop";
import { describe, expect, it } from "vitest";

const usage = (inputTokens: number, outputTokens: number) =>
  ({ inputTokens, outputTokens, source: "provider" }) as const;
const spend = (budget: Budget, tokens = 0, now = 0) => budget.reserve({ now, tokens });

function claim(budget: Budget, tokens: number) {
  const claimed = spend(budget, tokens);
  if (!claimed.ok) throw new Error(claimed.stop.message);
  return claimed.reservation;
}

it("allows a run of 200 requests, 10 million tokens and 4 hours unless told otherwise", () => {
  expect(Budget.start({}, 0).limits).toEqual({
    requests: 200,
    tokens: 10_000_000,
    durationMs: 4 * 3_600_000,
    cost: Number.POSITIVE_INFINITY,
    depth: 1,
    width: 8,
  });
});

describe("a limit", () => {
  it("of requests stops the request that would pass it", () => {
    const budget = Budget.start({ requests: 2 }, 0);
    expect(spend(budget).ok).toBe(true);
    expect(spend(budget).ok).toBe(true);
    expect(spend(budget)).toMatchObject({ ok: false, stop: { rule: "requests", used: 2, limit: 2 } });
  });

  it("of tokens counts what is claimed and what was used", () => {
    const budget = Budget.start({ tokens: 1_000 }, 0);
    const first = claim(budget, 600);
    expect(spend(budget, 600)).toMatchObject({
      ok: false,
      stop: { rule: "tokens", used: 1_200, limit: 1_000 },
    });
    budget.settle(first, usage(100, 50), undefined);
    expect(spend(budget, 600).ok).toBe(true);
    expect(budget.spent.tokens).toBe(150);
  });

  it("of time counts from the start", () => {
    const budget = Budget.start({ durationMs: 100 }, 1_000);
    expect(spend(budget, 0, 1_099).ok).toBe(true);
    expect(spend(budget, 0, 1_100)).toMatchObject({
      ok: false,
      stop: { rule: "duration", used: 100, limit: 100 },
    });
  });

  it("of cost stops once it is reached", () => {
    const budget = Budget.start({ cost: 0.5 }, 0);
    budget.settle(claim(budget, 1), usage(1, 1), 0.5);
    expect(spend(budget)).toMatchObject({ ok: false, stop: { rule: "cost", used: 0.5, limit: 0.5 } });
  });

  it("names the setting that raises it", () => {
    const stopped = spend(Budget.start({ requests: 0 }, 0));
    expect(stopped.ok ? "" : stopped.stop.message).toContain("budget.requests");
  });
});

describe("children", () => {
  it("spend from the same purse", () => {
    const budget = Budget.start({ requests: 3 }, 0);
    const child = budget.child();
    if (!child.ok) throw new Error(child.stop.message);
    spend(child.budget);
    spend(child.budget);
    spend(budget);
    expect(spend(child.budget).ok).toBe(false);
    expect(budget.spent.requests).toBe(3);
  });

  it("go no deeper than the limit", () => {
    const child = Budget.start({ depth: 1 }, 0).child();
    if (!child.ok) throw new Error(child.stop.message);
    expect(child.budget.child()).toMatchObject({ ok: false, stop: { rule: "depth", used: 1, limit: 1 } });
  });

  it("are counted until they are released, each once", () => {
    const budget = Budget.start({ width: 1 }, 0);
    const first = budget.child();
    if (!first.ok) throw new Error(first.stop.message);
    expect(budget.child()).toMatchObject({ ok: false, stop: { rule: "width", used: 1, limit: 1 } });
    first.budget.release();
    first.budget.release();
    expect(budget.child().ok).toBe(true);
    expect(budget.child().ok).toBe(false);
  });
});

describe("the cost of a request", () => {
  const price = { input: 3, output: 15 };
  it.each([
    { why: "what the provider said wins", usage: { ...usage(1e6, 1e6), cost: 1.25 }, price, cost: 1.25 },
    { why: "the price per million tokens", usage: usage(1_000_000, 100_000), price, cost: 4.5 },
    { why: "no price, no cost", usage: usage(1, 1), price: undefined, cost: undefined },
    { why: "no usage, no cost", usage: undefined, price, cost: undefined },
  ])("$why", ({ usage: used, price: given, cost }) => {
    expect(costOf(used, given)).toBe(cost);
  });
});
