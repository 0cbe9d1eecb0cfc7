import { Budget, type BudgetLimits, type ChildBudgetResult } from "../loop/budget.js";

export interface PurseMoment {
  readonly limits: Partial<BudgetLimits>;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** The budget that an agent's runs spend from, together with its children. */
export class Purse {
  #budget: Budget | undefined;
  /** Handed in: it lasts longer than a run, and is not begun anew. */
  #given: boolean;

  constructor(given: unknown) {
    this.#budget = given instanceof Budget ? given : undefined;
    this.#given = this.#budget !== undefined;
  }

  /** The budget of a run that begins: a fresh one, unless children at work spend from it (`shared`). */
  begin({ limits, now }: PurseMoment, shared: boolean): Budget {
    if (this.#budget === undefined || this.#given) this.#budget = Budget.start(limits, now);
    else if (!shared) this.#budget.restart(limits, now);
    this.#given = false;
    return this.#budget;
  }

  /** For a run, or an agent, that was given one. */
  adopt(budget: Budget): Budget {
    this.#budget = budget;
    this.#given = true;
    return budget;
  }

  /** A place for one more child, with the budget it spends from. `fresh`: nobody spends from the one at hand. */
  childPlace(moment: PurseMoment, fresh: boolean): ChildBudgetResult {
    const stale = this.#budget === undefined || (fresh && !this.#given);
    const budget = this.#budget !== undefined && !stale ? this.#budget : this.begin(moment, false);
    return budget.child();
  }
}
