import type { Usage } from "@ashlar/context";

/** What can stop a run: the limits of the budget, and the rules of the loop. */
export type BudgetRule =
  | "requests"
  | "tokens"
  | "duration"
  | "cost"
  | "depth"
  | "width"
  | "context"
  | "turn"
  | "repeat"
  | "cut";

/** `Infinity` switches a limit off. */
export interface BudgetLimits {
  readonly requests: number;
  /** Input and output of all requests. */
  readonly tokens: number;
  readonly durationMs: number;
  /** US dollars. */
  readonly cost: number;
  /** Levels of children below the run. */
  readonly depth: number;
  /** Children at one time, over all levels. */
  readonly width: number;
}

export const DEFAULT_BUDGET: BudgetLimits = Object.freeze({
  requests: 200,
  tokens: 10_000_000,
  durationMs: 4 * 3_600_000,
  cost: Number.POSITIVE_INFINITY,
  depth: 1,
  width: 8,
});

/** A limit that was reached, with a sentence for people. */
export interface BudgetStop {
  readonly rule: BudgetRule;
  readonly used: number;
  readonly limit: number;
  readonly message: string;
}

/** One request's claim, from the moment before it is sent until its usage is known. */
export interface Reservation {
  readonly tokens: number;
}

export type ReservationResult =
  | { readonly ok: true; readonly reservation: Reservation }
  | { readonly ok: false; readonly stop: BudgetStop };

export type ChildBudgetResult =
  | { readonly ok: true; readonly budget: Budget }
  | { readonly ok: false; readonly stop: BudgetStop };

interface Ledger {
  limits: BudgetLimits;
  startedAt: number;
  requests: number;
  tokens: number;
  reservedTokens: number;
  cost: number;
  children: number;
}

/** What a run and its children may spend together. Clock readings are epoch milliseconds, handed in. */
export class Budget {
  readonly depth: number;
  readonly #ledger: Ledger;
  #released = false;

  private constructor(ledger: Ledger, depth: number) {
    this.#ledger = ledger;
    this.depth = depth;
  }

  static start(limits: Partial<BudgetLimits>, startedAt: number): Budget {
    const ledger = { requests: 0, tokens: 0, reservedTokens: 0, cost: 0, children: 0 };
    return new Budget({ limits: { ...DEFAULT_BUDGET, ...limits }, startedAt, ...ledger }, 0);
  }

  get limits(): BudgetLimits {
    return this.#ledger.limits;
  }

  get spent(): { readonly requests: number; readonly tokens: number; readonly cost: number } {
    const { requests, tokens, cost } = this.#ledger;
    return { requests, tokens, cost };
  }

  /** Claims one request of about `tokens` input tokens, or says which limit it would pass. */
  reserve(request: { readonly now: number; readonly tokens: number }): ReservationResult {
    const ledger = this.#ledger;
    const stop = limitReached(ledger, request);
    if (stop !== undefined) return { ok: false, stop };
    ledger.requests += 1;
    ledger.reservedTokens += request.tokens;
    return { ok: true, reservation: { tokens: request.tokens } };
  }

  /** Replaces a claim by what the request really used; `cost` in US dollars. */
  settle(reservation: Reservation, usage: Usage | undefined, cost: number | undefined): void {
    const ledger = this.#ledger;
    ledger.reservedTokens -= reservation.tokens;
    if (usage !== undefined) ledger.tokens += usage.inputTokens + usage.outputTokens;
    ledger.cost += cost ?? 0;
  }

  /** Begins anew, also for the children: nothing is spent, other limits count. Children keep their places. */
  restart(limits: Partial<BudgetLimits>, startedAt: number): void {
    const begun = { limits: { ...DEFAULT_BUDGET, ...limits }, startedAt, requests: 0, tokens: 0, cost: 0 };
    Object.assign(this.#ledger, begun);
  }

  /** The same purse one level down. Its owner calls `release` when the child ends. */
  child(): ChildBudgetResult {
    const { limits, children } = this.#ledger;
    if (this.depth >= limits.depth) {
      return { ok: false, stop: stopAt("depth", this.depth, limits.depth, "Children may not go deeper") };
    }
    if (children >= limits.width) {
      return { ok: false, stop: stopAt("width", children, limits.width, "No more children at one time") };
    }
    this.#ledger.children += 1;
    return { ok: true, budget: new Budget(this.#ledger, this.depth + 1) };
  }

  /** Gives a child's place back; a second call changes nothing. */
  release(): void {
    if (this.#released || this.depth === 0) return;
    this.#released = true;
    this.#ledger.children -= 1;
  }
}

/** US dollars of one request: what the provider said, else what the price per million tokens gives. */
export function costOf(
  usage: Usage | undefined,
  price: { readonly input: number; readonly output: number } | undefined,
): number | undefined {
  if (usage === undefined) return undefined;
  if (usage.cost !== undefined) return usage.cost;
  if (price === undefined) return undefined;
  return (usage.inputTokens * price.input + usage.outputTokens * price.output) / 1_000_000;
}

function limitReached(
  ledger: Ledger,
  request: { readonly now: number; readonly tokens: number },
): BudgetStop | undefined {
  const { limits } = ledger;
  if (ledger.requests >= limits.requests) {
    return stopAt("requests", ledger.requests, limits.requests, "The budget of requests is used up");
  }
  const tokens = ledger.tokens + ledger.reservedTokens + request.tokens;
  if (tokens > limits.tokens) {
    return stopAt("tokens", tokens, limits.tokens, "The budget of tokens would be passed");
  }
  const elapsed = request.now - ledger.startedAt;
  if (elapsed >= limits.durationMs) {
    return stopAt("duration", elapsed, limits.durationMs, "The time of the run is up (milliseconds)");
  }
  if (ledger.cost >= limits.cost) {
    return stopAt("cost", ledger.cost, limits.cost, "The budget of US dollars is used up");
  }
  return undefined;
}

function stopAt(rule: BudgetRule, used: number, limit: number, what: string): BudgetStop {
  return { rule, used, limit, message: `${what}: ${used} of ${limit}. Raise budget.${rule} to go on.` };
}
