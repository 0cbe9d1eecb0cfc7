import { isObject } from "@ashlar/context";
import { wrong } from "../request-settings.js";

/** How one Chat Completions server differs from another: declared as `compat` in the endpoint's settings, never guessed. */
export interface ChatCompat {
  /** System texts go with the role `developer` instead of `system`. Default false. */
  readonly developerRole: boolean;
  /** Role of system texts after the first other message; `user` where templates want system texts first. Default `system`. */
  readonly laterSystemRole: "system" | "user";
  /** Neighbouring messages of the user go as they are, or `joined` into one where a template wants roles to alternate. Default `separate`. */
  readonly userMessages: "separate" | "joined";
  /** Field that limits the output. Default `max_tokens`. */
  readonly maxTokensField: "max_tokens" | "max_completion_tokens";
  /** Asks for the token counts through `stream_options.include_usage`. Default true. */
  readonly usageInStream: boolean;
  /** Field in which thinking of earlier answers goes back; `none`: it does not. Default `none`. */
  readonly reasoningField: "none" | "reasoning_content" | "reasoning";
  /** How the thinking mode is sent: the field of OpenAI, the object of OpenRouter, the template switch of vLLM, or not at all. Default `reasoning_effort`. */
  readonly thinkingFormat: "reasoning_effort" | "reasoning" | "enable_thinking" | "none";
  /** Tool results carry the tool's `name`. Default false. */
  readonly toolResultName: boolean;
  /** Call ids are sent as nine letters and digits, as Mistral wants them. Default false. */
  readonly strictToolIds: boolean;
  /** Sent as `parallel_tool_calls`; `unset` sends nothing. Default `unset`. */
  readonly parallelToolCalls: boolean | "unset";
  /** Content of an answer that has only calls: null as OpenAI documents it, or an empty text. Default `null`. */
  readonly callsOnlyContent: "null" | "empty";
  /** How a wanted answer schema is sent; `json_object` where `json_schema` is unknown. Default `json_schema`. */
  readonly formatField: "json_schema" | "json_object";
  /** API prefix of a base URL without a path; `/` for a server whose API is at the root. Default `/v1`. */
  readonly apiPrefix: string;
}

/** The flags in force. Throws kind `malformed` that names the flag and its values; `mention` hears of flags nobody knows. */
export function chatCompat(
  settings: Readonly<Record<string, unknown>>,
  mention: (text: string) => void = () => undefined,
): ChatCompat {
  const stated = settings.compat ?? {};
  if (!isObject(stated)) throw wrong("compat", stated, "an object of flags");
  const compat: ChatCompat = {
    developerRole: flag(stated, "developerRole", [false, true]),
    laterSystemRole: flag(stated, "laterSystemRole", ["system", "user"]),
    userMessages: flag(stated, "userMessages", ["separate", "joined"]),
    maxTokensField: flag(stated, "maxTokensField", ["max_tokens", "max_completion_tokens"]),
    usageInStream: flag(stated, "usageInStream", [true, false]),
    reasoningField: flag(stated, "reasoningField", ["none", "reasoning_content", "reasoning"]),
    thinkingFormat: flag(stated, "thinkingFormat", [
      "reasoning_effort",
      "reasoning",
      "enable_thinking",
      "none",
    ]),
    toolResultName: flag(stated, "toolResultName", [false, true]),
    strictToolIds: flag(stated, "strictToolIds", [false, true]),
    parallelToolCalls: flag<boolean | "unset">(stated, "parallelToolCalls", ["unset", true, false]),
    callsOnlyContent: flag(stated, "callsOnlyContent", ["null", "empty"]),
    formatField: flag(stated, "formatField", ["json_schema", "json_object"]),
    apiPrefix: prefix(stated.apiPrefix ?? "/v1"),
  };
  const unknown = Object.keys(stated).filter((name) => !(name in compat));
  if (unknown.length > 0) {
    mention(
      `The setting "compat" has flags nobody knows: ${unknown.join(", ")}. Known: ${Object.keys(compat).join(", ")}`,
    );
  }
  return compat;
}

/** The first value is the default. */
function flag<const Value>(
  stated: Readonly<Record<string, unknown>>,
  name: keyof ChatCompat,
  values: readonly [Value, ...Value[]],
): Value {
  const value = stated[name];
  if (value === undefined) return values[0];
  const found = values.find((allowed) => allowed === value);
  if (found === undefined)
    throw wrong(`compat.${name}`, value, `one of ${values.map((v) => JSON.stringify(v)).join(", ")}`);
  return found;
}

function prefix(value: unknown): string {
  if (typeof value !== "string") throw wrong("compat.apiPrefix", value, "a path such as /v1");
  return value;
}
