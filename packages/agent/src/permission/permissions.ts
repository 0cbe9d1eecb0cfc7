import type { QuestionBridge } from "@ashlar/context/tool";
import type { LayerName, LayerValue } from "@ashlar/env";
import { jsonText } from "../loop/json-text.js";
import { decodeRules, evaluateRules, type RuleLayer, type RuleVerdict } from "../loop/permission-rules.js";

export interface PermissionsOptions {
  /** What each layer says at `permissions`, weakest first; asked anew for each call. */
  readonly layers: () => readonly LayerValue[];
  /** Absent: nobody is there. */
  readonly question: QuestionBridge | undefined;
}

const LAYER_NAMES: Readonly<Record<LayerName, string>> = {
  package: "the package",
  packages: "a package",
  user: "the user's settings",
  project: "the project's settings",
  constructor: "the host",
};
const ALLOW = "Allow";
const SHOWN_ARGUMENTS = 4_000;

/** The permission rules of one agent, and the person whom they may ask. One question at a time. */
export class Permissions {
  readonly #options: PermissionsOptions;
  #asking: Promise<unknown> = Promise.resolve();

  constructor(options: PermissionsOptions) {
    this.#options = options;
  }

  /** What the rules say of a call with these validated arguments, as things stand now. */
  verdict(tool: string, args: unknown): RuleVerdict {
    return evaluateRules(this.#options.layers().map(ruleLayer), tool, args);
  }

  /** Why the rules keep a call from running without anybody being asked; undefined when they do not. */
  refusal(tool: string, args: unknown): string | undefined {
    const { action, rule = "a rule" } = this.verdict(tool, args);
    if (action === "deny") return `${rule} denies it`;
    if (action === "ask" && this.#options.question === undefined)
      return `${rule} wants a person asked, and nobody is there`;
    return undefined;
  }

  /** Asks the person where a rule wants it. Resolves with the reason when the call may not run. */
  async ask(tool: string, args: unknown, signal: AbortSignal): Promise<string | undefined> {
    const refused = this.refusal(tool, args);
    if (refused !== undefined || this.verdict(tool, args).action !== "ask") return refused;
    const turn = this.#asking.then(() => (signal.aborted ? false : this.#put(tool, args)));
    this.#asking = turn.catch(() => undefined);
    const allowed = await Promise.race([turn, aborted(signal)]);
    if (!allowed) return "the person who was asked did not allow it";
    // What was decided meanwhile, in the settings, counts.
    return this.refusal(tool, args);
  }

  async #put(tool: string, args: unknown): Promise<boolean> {
    const { question } = this.#options;
    const [answer] =
      (await question?.ask([
        {
          question: `Run ${tool} with these arguments?`,
          header: "Permission",
          details: jsonText(args).slice(0, SHOWN_ARGUMENTS),
          options: [
            { label: ALLOW, description: "This call runs." },
            { label: "Refuse", description: "The model is told that it may not." },
          ],
        },
      ])) ?? [];
    return answer !== undefined && "labels" in answer && answer.labels.includes(ALLOW);
  }
}

function ruleLayer({ layer, value }: LayerValue): RuleLayer {
  const rules = decodeRules(value);
  const name = LAYER_NAMES[layer];
  if (typeof rules === "string") return { name, restrictsOnly: false, rules: [], problem: rules };
  return { name, restrictsOnly: layer === "project", rules };
}

function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener("abort", () => resolve(false), { once: true });
  });
}
