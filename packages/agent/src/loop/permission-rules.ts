import { isObject } from "./json-object.js";
import { jsonText } from "./json-text.js";
import { matchesWildcard } from "./wildcard.js";

export type RuleAction = "allow" | "ask" | "deny";

/** One rule of the setting `permissions`. `*` in a pattern stands for any characters. */
export interface PermissionRule {
  /** Name of the tool. */
  readonly tool: string;
  /** By argument: each has to fit. A value that is no text is compared as JSON. Absent: any arguments. */
  readonly arguments?: Readonly<Record<string, string>> | undefined;
  readonly action: RuleAction;
}

/** The rules of one layer, in their order. */
export interface RuleLayer {
  /** As a person is told of it: `the user's settings`. */
  readonly name: string;
  /** Cannot allow what another layer would not: its `allow` rules do not count. */
  readonly restrictsOnly: boolean;
  readonly rules: readonly PermissionRule[];
  /** What is wrong with its list. Nothing runs then, for a rule that cannot be read may have been a refusal. */
  readonly problem?: string;
}

export interface RuleVerdict {
  readonly action: RuleAction;
  /** The rule that decided, in words; absent when none fitted. */
  readonly rule?: string;
}

const STRICTNESS: Readonly<Record<RuleAction, number>> = { allow: 0, ask: 1, deny: 2 };

/** In each layer the first rule that fits counts; of the layers the strictest. What no rule names is allowed. */
export function evaluateRules(layers: readonly RuleLayer[], tool: string, args: unknown): RuleVerdict {
  const broken = layers.find(({ problem }) => problem !== undefined);
  if (broken?.problem !== undefined)
    return {
      action: "deny",
      rule: `the list of rules of ${broken.name}, which cannot be read (${broken.problem}),`,
    };
  let verdict: RuleVerdict = { action: "allow" };
  for (const layer of layers) {
    const rule = layer.rules.find(
      (candidate) => !(layer.restrictsOnly && candidate.action === "allow") && fits(candidate, tool, args),
    );
    if (rule === undefined) continue;
    const isFirst = verdict.rule === undefined;
    if (isFirst || STRICTNESS[rule.action] > STRICTNESS[verdict.action])
      verdict = { action: rule.action, rule: describeRule(rule, layer) };
  }
  return verdict;
}

const RULE_KEYS: ReadonlySet<string> = new Set(["tool", "arguments", "action"]);

/** Reads what one layer says at `permissions`. A text says what is wrong. */
export function decodeRules(value: unknown): readonly PermissionRule[] | string {
  if (!Array.isArray(value)) return "permissions must be a list of rules";
  const rules: PermissionRule[] = [];
  for (const [index, entry] of value.entries()) {
    const rule = decodeRule(entry);
    if (typeof rule === "string") return `permissions[${index}]${rule}`;
    rules.push(rule);
  }
  return rules;
}

function decodeRule(entry: unknown): PermissionRule | string {
  if (!isObject(entry)) return " must be an object with tool and action";
  const odd = Object.keys(entry).find((key) => !RULE_KEYS.has(key));
  if (odd !== undefined) return `: a rule has no ${JSON.stringify(odd)}, only tool, arguments and action`;
  const { tool, action, arguments: patterns } = entry;
  if (typeof tool !== "string" || tool === "") return '.tool must be the name of a tool, or "*"';
  if (action !== "allow" && action !== "ask" && action !== "deny")
    return ".action must be allow, ask or deny";
  if (patterns === undefined) return { tool, action };
  if (!isPatterns(patterns)) return ".arguments must be an object of texts by argument";
  return { tool, action, arguments: patterns };
}

function isPatterns(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((pattern) => typeof pattern === "string");
}

function fits(rule: PermissionRule, tool: string, args: unknown): boolean {
  if (!matchesWildcard(tool, rule.tool)) return false;
  return Object.entries(rule.arguments ?? {}).every(([name, pattern]) => {
    if (!isObject(args) || !Object.hasOwn(args, name)) return false;
    const value = args[name];
    return matchesWildcard(typeof value === "string" ? value : jsonText(value), pattern);
  });
}

function describeRule({ tool, arguments: patterns = {} }: PermissionRule, { name }: RuleLayer): string {
  const parts = Object.entries(patterns).map(([key, pattern]) => `${key} ${JSON.stringify(pattern)}`);
  const when = parts.length === 0 ? "" : ` with ${parts.join(" and ")}`;
  return `a rule of ${name} for ${tool}${when}`;
}
