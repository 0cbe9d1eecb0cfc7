import { isObject } from "@ashlar/context";
import type {
  CatalogueQuery,
  Message,
  SendBase,
  WireContext,
  WireMessage,
  WireResponse,
} from "@ashlar/context/provider";
import { authorization } from "../authorization.js";
import { apiUrl } from "../base-url.js";
import { classifyOpenAIError } from "../openai-error.js";
import { openaiModels } from "../openai-models.js";
import { reportRateLimits } from "../rate-limit-headers.js";
import { requestSettings } from "../request-settings.js";
import { isStrictSchema } from "../strict-schema.js";
import type { Wire } from "../wire.js";
import { ResponseStream } from "./events.js";
import { inputItems } from "./input.js";
import {
  applyReasoningRules,
  correctedRules,
  keepReasoningRules,
  reasoningRules,
} from "./reasoning-rules.js";

const SEALED = "reasoning.encrypted_content";

type Fields = Readonly<Record<string, unknown>>;

/** The Responses API over SSE, stateless (`store: false`). It completes a provider class that names no wire. */
export const responsesWire: Wire = {
  framing: "sse",
  context2msg,
  send,
  msg2events: (frame, state, io) => {
    const stream = state.stream instanceof ResponseStream ? state.stream : new ResponseStream(io.endpoint);
    state.stream = stream;
    return stream.push(frame);
  },
  reportPlanUsage: reportRateLimits,
  classifyError: classifyOpenAIError,
  models: (query) => openaiModels(query),
  testConnection: async (query: CatalogueQuery) => ({
    models: Object.keys(await openaiModels(query)).length,
  }),
};

function context2msg(context: readonly Message[], io: WireContext): WireMessage {
  const { body, headers, maxTokens, temperature, topP, seed, stop } = requestSettings(io.settings);
  if (seed !== undefined) io.warn('The Responses API has no "seed": the setting was left out.');
  if (stop !== undefined) io.warn('The Responses API has no "stop": the setting was left out.');
  const request: Fields = {
    ...body,
    model: io.model,
    input: inputItems(context, { endpoint: io.endpoint, info: io.info }),
    ...toolFields(io),
    ...(maxTokens !== undefined && { max_output_tokens: maxTokens }),
    ...(temperature !== undefined && { temperature }),
    ...(topP !== undefined && { top_p: topP }),
    ...reasoningFields(body, io),
    ...textFields(body, io.format),
    store: false,
    stream: true,
  };
  return [
    { ...headers, ...authorization(io.auth) },
    applyReasoningRules(request, reasoningRules(io.session)),
  ];
}

/** A refusal that names reasoning is corrected once; what was learnt holds for the session. */
async function send([headers, body]: WireMessage, base: SendBase, io: WireContext): Promise<WireResponse> {
  const url = apiUrl(io.url, "responses", { key: `providers.${io.endpoint}.url` });
  try {
    return await base({ url, method: "POST", headers, body });
  } catch (error) {
    const rules = correctedRules(error, reasoningRules(io.session));
    if (rules === undefined || !isObject(body)) throw error;
    keepReasoningRules(io.session, rules);
    return base({ url, method: "POST", headers, body: applyReasoningRules(body, rules) });
  }
}

function toolFields(io: WireContext): Fields {
  if (io.tools.length === 0) return {};
  return {
    tools: io.tools.map(({ name, description, inputSchema }) => ({
      type: "function",
      name,
      description,
      parameters: inputSchema,
      // Left out, it means true here, and most tool schemas are refused.
      strict: false,
    })),
  };
}

/** Sealed reasoning is always asked for unless the model is known not to think: without it each tool round starts afresh. */
function reasoningFields(body: Fields, io: WireContext): Fields {
  const thinks = io.thinking !== undefined && io.thinking !== "none";
  const mode = io.thinking === undefined ? {} : { effort: io.thinking };
  const reasoning = {
    ...(thinks && { summary: "auto" }),
    ...(isObject(body.reasoning) ? body.reasoning : {}),
    ...mode,
  };
  return {
    ...(Object.keys(reasoning).length > 0 && { reasoning }),
    ...(io.info.thinking?.length !== 0 && { include: [...new Set([...listOf(body.include), SEALED])] }),
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textFields(body: Fields, format: WireContext["format"]): Fields {
  if (format === undefined) return {};
  const wanted =
    format === "json"
      ? { type: "json_object" }
      : { type: "json_schema", name: "answer", schema: format, strict: isStrictSchema(format) };
  return { text: { ...(isObject(body.text) ? body.text : {}), format: wanted } };
}
