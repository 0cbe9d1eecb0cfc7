import { isObject } from "../../json-object.js";

type Fields = Readonly<Record<string, unknown>>;

/** What of reasoning the model takes: learnt from its refusals, kept for the session. */
export interface ReasoningRules {
  readonly effort: boolean;
  readonly summary: boolean;
  /** Sealed reasoning may be asked for and sent back. */
  readonly sealed: boolean;
}

const KEY = "openai-responses.reasoning";
const ALL: ReasoningRules = { effort: true, summary: true, sealed: true };

export function reasoningRules(session: ReadonlyMap<string, unknown>): ReasoningRules {
  const kept = session.get(KEY);
  if (!isObject(kept)) return ALL;
  return { effort: kept.effort !== false, summary: kept.summary !== false, sealed: kept.sealed !== false };
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
  const fields = Object.entries(isObject(reasoning) ? reasoning : {}).filter(
    ([name]) => (name !== "effort" || rules.effort) && (name !== "summary" || rules.summary),
  );
  return {
    ...rest,
    input: rules.sealed || !Array.isArray(input) ? input : input.filter((item) => !isSealed(item)),
    ...(fields.length > 0 && { reasoning: Object.fromEntries(fields) }),
    ...(include !== undefined && rules.sealed && { include }),
  };
}

/** The narrowest correction: the server names the summary or the sealed content; otherwise all control goes. */
function withoutRefused(text: string, rules: ReasoningRules): ReasoningRules {
  if (/encrypted.content/i.test(text)) return { ...rules, sealed: false };
  if (/summar/i.test(text)) return { ...rules, summary: false };
  if (/reasoning[._ ]?effort/i.test(text)) return { ...rules, effort: false };
  return { effort: false, summary: false, sealed: false };
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
