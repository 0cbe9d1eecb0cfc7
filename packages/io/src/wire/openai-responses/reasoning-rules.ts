import { isObject } from "@ashlar/context";
import { nativeThinking } from "../../thinking.js";

type Fields = Readonly<Record<string, unknown>>;

/** What of reasoning the model takes: learnt from its refusals, kept for the session. */
export interface ReasoningRules {
  /** A list holds the only values that are taken. */
  readonly effort: boolean | readonly string[];
  readonly summary: boolean;
  /** Sealed reasoning may be asked for and sent back. */
  readonly sealed: boolean;
}

const KEY = "openai-responses.reasoning";
const ALL: ReasoningRules = { effort: true, summary: true, sealed: true };

export function reasoningRules(session: ReadonlyMap<string, unknown>): ReasoningRules {
  const kept = session.get(KEY);
  if (!isObject(kept)) return ALL;
  const effort = Array.isArray(kept.effort) ? kept.effort.map(String) : kept.effort !== false;
  return { effort, summary: kept.summary !== false, sealed: kept.sealed !== false };
}

export function keepReasoningRules(session: Map<string, unknown>, rules: ReasoningRules): void {
  session.set(KEY, rules);
}

/** The rules after the server refused a request with status 400; undefined when reasoning was not the reason. */
export function correctedRules(error: unknown, rules: ReasoningRules): ReasoningRules | undefined {
  if (!isObject(error) || error.status !== 400) return undefined;
  const { message, param } = refusal(error);
  if (!/reasoning|encrypted.content/i.test(`${param} ${message}`)) return undefined;
  const corrected = withoutRefused(`${param} ${message}`, rules);
  return same(corrected, rules) ? undefined : corrected;
}

/** The request body without what the rules forbid. */
export function applyReasoningRules(body: Fields, rules: ReasoningRules): Fields {
  const { reasoning, include, input, ...rest } = body;
  const { effort, summary, ...others } = isObject(reasoning) ? reasoning : {};
  const allowed = allowedEffort(effort, rules.effort);
  const fields = {
    ...others,
    ...(allowed !== undefined && { effort: allowed }),
    ...(summary !== undefined && rules.summary && { summary }),
  };
  return {
    ...rest,
    input: rules.sealed || !Array.isArray(input) ? input : input.filter((item) => !isSealed(item)),
    ...(Object.keys(fields).length > 0 && { reasoning: fields }),
    ...(include !== undefined && rules.sealed && { include }),
  };
}

const NOTHING: ReasoningRules = { effort: false, summary: false, sealed: false };

/** The narrowest correction that can succeed: a model that does not know one field of reasoning knows none. */
function withoutRefused(text: string, rules: ReasoningRules): ReasoningRules {
  if (/effort.*supported values/is.test(text)) return { ...rules, effort: supportedEfforts(text, rules) };
  if (/not supported with this model/i.test(text)) return NOTHING;
  if (/encrypted.content/i.test(text)) return { ...rules, sealed: false };
  return /summar/i.test(text) ? { ...rules, summary: false } : NOTHING;
}

function allowedEffort(effort: unknown, rule: ReasoningRules["effort"]): unknown {
  if (rule === false || rule === true) return rule ? effort : undefined;
  return typeof effort === "string" ? nativeThinking(effort, rule) : undefined;
}

/** The values that the server names; none at all when it names none, or refuses one of those it had named. */
function supportedEfforts(text: string, { effort }: ReasoningRules): ReasoningRules["effort"] {
  const [, list = ""] = /supported values are:?(.*)/is.exec(text) ?? [];
  const values = list.match(/(?<=['"`])[a-z]+(?=['"`])/g) ?? [];
  return values.length > 0 && effort === true ? values : false;
}

function refusal(error: Fields): { readonly message: string; readonly param: string } {
  const details = isObject(error.details) ? error.details : {};
  const body = isObject(details.body) ? details.body : {};
  const said = isObject(body.error) ? body.error : body;
  const code = typeof said.code === "string" ? said.code : "";
  return {
    message: `${typeof said.message === "string" ? said.message : String(error.message ?? "")} ${code}`,
    param: typeof said.param === "string" ? said.param : "",
  };
}

function same(a: ReasoningRules, b: ReasoningRules): boolean {
  return a.effort === b.effort && a.summary === b.summary && a.sealed === b.sealed;
}

function isSealed(item: unknown): boolean {
  return isObject(item) && item.type === "reasoning";
}
