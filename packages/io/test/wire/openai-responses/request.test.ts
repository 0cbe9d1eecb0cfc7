import { isObject, type Message, MessageType } from "@ashlar/context";
import type { WireRequest, WireResponse } from "@ashlar/context/provider";
import { describe, expect, it } from "vitest";
import { IOError, isIOError } from "../../../src/io-error.js";
import { OpenAI, responsesWire } from "../../../src/wire/openai-responses/index.js";
import { complaints } from "../strict-server.js";
import { wireContext } from "../wire-context.js";

const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const SEALED = { openaiResponses: { endpoint: "local", id: "rs_1", encryptedContent: "sealed" } };

const TALK: readonly Message[] = [
  { type: MessageType.system, content: [{ type: "text", text: "Be brief." }] },
  {
    type: MessageType.user,
    content: [
      { type: "text", text: "look" },
      { type: "image", content: PNG },
    ],
  },
  {
    type: MessageType.assistant,
    content: [
      { type: "thinking", text: "hm", ...SEALED },
      { type: "text", text: "Reading." },
      { type: "toolCall", callId: "call-1", name: "read", arguments: { path: "a" } },
      { type: "toolCall", callId: "call-2", name: "read", arguments: "{broken" },
    ],
  },
  {
    type: MessageType.toolResult,
    callId: "call-1",
    content: [
      { type: "text", text: "A" },
      { type: "image", content: PNG },
    ],
  },
  {
    type: MessageType.toolResult,
    callId: "call-2",
    error: true,
    content: [{ type: "text", text: "no JSON" }],
  },
];

describe("the Responses request", () => {
  it("is the whole conversation as input items, in a form that a strict server takes", () => {
    const body = request(TALK);
    expect(complaints(body)).toEqual([]);
    expect(body).toEqual({
      model: "m1",
      store: false,
      stream: true,
      include: ["reasoning.encrypted_content"],
      input: [
        { type: "message", role: "system", content: [{ type: "input_text", text: "Be brief." }] },
        {
          type: "message",
          role: "user",
          content: [
            { type: "input_text", text: "look" },
            { type: "input_image", image_url: `data:image/png;base64,${PNG}`, detail: "auto" },
          ],
        },
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "hm" }],
          encrypted_content: "sealed",
        },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Reading." }] },
        { type: "function_call", call_id: "call-1", name: "read", arguments: '{"path":"a"}' },
        { type: "function_call", call_id: "call-2", name: "read", arguments: '{"unparsed":"{broken"}' },
        {
          type: "function_call_output",
          call_id: "call-1",
          output: [
            { type: "input_text", text: "A" },
            { type: "input_image", image_url: `data:image/png;base64,${PNG}`, detail: "auto" },
          ],
        },
        { type: "function_call_output", call_id: "call-2", output: "no JSON" },
      ],
    });
  });

  it.each([
    {
      why: "sealed at another endpoint",
      thinking: { openaiResponses: { endpoint: "other", encryptedContent: "sealed" } },
    },
    { why: "of another wire", thinking: {} },
    { why: "never sealed", thinking: { openaiResponses: { endpoint: "local", id: "rs_1" } } },
  ])("leaves out thinking that is $why", ({ thinking }) => {
    const body = request([
      {
        type: MessageType.assistant,
        content: [
          { type: "thinking", text: "hm", ...thinking },
          { type: "text", text: "yes" },
        ],
      },
    ]);
    expect(body.input).toEqual([
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "yes" }] },
    ]);
  });

  it("leaves out thinking that led to nothing, which servers refuse", () => {
    const body = request([
      { type: MessageType.assistant, content: [{ type: "thinking", text: "hm", ...SEALED }] },
    ]);
    expect(body.input).toEqual([]);
  });

  it("sends open thinking of a local server back as it came", () => {
    const open = { openaiResponses: { endpoint: "local", id: "rs_1", open: true } };
    const body = request([
      {
        type: MessageType.assistant,
        content: [
          { type: "thinking", text: "hm", ...open },
          { type: "text", text: "yes" },
        ],
      },
    ]);
    expect(body.input).toMatchObject([
      { type: "reasoning", content: [{ type: "reasoning_text", text: "hm" }] },
      {},
    ]);
  });

  it("carries tools, schema, effort, limits and headers", () => {
    const io = wireContext({
      tools: [{ name: "read", description: "Reads.", inputSchema: { type: "object" } }],
      thinking: "low",
      format: { type: "object", properties: {} },
      auth: { type: "api_key", token: "sesame" },
      settings: {
        maxTokens: 9,
        topP: 0.5,
        headers: { "OpenAI-Project": "p" },
        body: { service_tier: "flex", include: ["x"] },
      },
    });
    const [headers, body] = responsesWire.context2msg(TALK, io);
    expect(headers).toEqual({ "openai-project": "p", authorization: "Bearer sesame" });
    expect(body).toMatchObject({
      tools: [
        {
          type: "function",
          name: "read",
          description: "Reads.",
          parameters: { type: "object" },
          strict: false,
        },
      ],
      reasoning: { effort: "low", summary: "auto" },
      text: { format: { type: "json_schema", name: "answer", strict: false } },
      max_output_tokens: 9,
      top_p: 0.5,
      service_tier: "flex",
      include: ["x", "reasoning.encrypted_content"],
    });
  });

  it("says which settings the API does not know", () => {
    const warnings: string[] = [];
    request(TALK, { settings: { seed: 1, stop: "x" }, warn: (text) => warnings.push(text) });
    expect(warnings).toEqual([expect.stringContaining('"seed"'), expect.stringContaining('"stop"')]);
  });

  it("asks a model that is known not to think for no reasoning", () => {
    expect(request(TALK, { info: { thinking: [] } })).not.toHaveProperty("include");
  });

  it("sends PDF files, refuses other files of users with place and reason, and tells the model of results", () => {
    const file = (mimetype: string) =>
      ({ type: "binary", content: "AAAA", filename: "f", mimetype }) as const;
    expect(JSON.stringify(request([user(file("application/pdf"))]))).toContain(
      "data:application/pdf;base64,AAAA",
    );
    expect(refusalOf([user(file("application/zip"))])).toMatchObject({
      kind: "malformed",
      details: { at: "messages[0].content[0]" },
      message: expect.stringContaining("PDF only"),
    });
    const result: Message = {
      type: MessageType.toolResult,
      callId: "call-1",
      content: [file("application/zip")],
    };
    expect(JSON.stringify(request([result]))).toContain("left out");
  });
});

describe("a refusal that names reasoning", () => {
  it.each([
    {
      why: "a model that does not think",
      param: "reasoning.effort",
      message: "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      left: {},
    },
    {
      why: "one value of the effort, by the nearest that the server names",
      param: "reasoning.effort",
      message:
        "Unsupported value: 'low' is not supported with the 'm1' model. Supported values are: 'medium', 'high', and 'xhigh'.",
      left: { reasoning: { effort: "medium", summary: "auto" }, include: ["reasoning.encrypted_content"] },
    },
    {
      why: "a value of the summary",
      param: "reasoning.summary",
      message: "Unsupported value: 'auto' for reasoning.summary. Supported values are: 'detailed'.",
      left: { reasoning: { effort: "low" }, include: ["reasoning.encrypted_content"] },
    },
    {
      why: "the summary",
      param: "reasoning.summary",
      message: "Your organization must be verified to generate reasoning summaries.",
      left: { reasoning: { effort: "low" }, include: ["reasoning.encrypted_content"] },
    },
    {
      why: "sealed content of a model that does not think",
      param: "include",
      message: "Encrypted content is not supported with this model.",
      left: {},
    },
    {
      why: "sealed content of others",
      param: null,
      message: "The encrypted content could not be verified.",
      code: "invalid_encrypted_content",
      left: { reasoning: { effort: "low", summary: "auto" } },
    },
    { why: "reasoning as such", param: null, message: "reasoning is not supported", left: {} },
  ])("is corrected once and remembered for the session: $why", async ({ param, message, code, left }) => {
    const io = wireContext({ thinking: "low" });
    const sent: WireRequest[] = [];
    const base = async (request: WireRequest): Promise<WireResponse> => {
      sent.push(request);
      if (sent.length === 1)
        throw refused(400, { error: { message, param, ...(code !== undefined && { code }) } });
      return OK;
    };
    await responsesWire.send(responsesWire.context2msg(TALK, io), base, io);
    await responsesWire.send(responsesWire.context2msg(TALK, io), base, io);
    expect(sent).toHaveLength(3);
    for (const { body } of sent.slice(1)) {
      expect(isObject(body) ? { reasoning: body.reasoning, include: body.include } : body).toEqual({
        reasoning: undefined,
        include: undefined,
        ...left,
      });
    }
    expect(JSON.stringify(sent[1]?.body).includes("sealed")).toBe("include" in left);
  });

  it.each([
    { why: "another status", error: () => refused(500, { error: { message: "reasoning broke" } }) },
    { why: "another reason", error: () => refused(400, { error: { message: "no such tool" } }) },
    { why: "no answer at all", error: () => new IOError("network", "reset", {}) },
  ])("is not seen in $why, which is sent once", async ({ error }) => {
    const io = wireContext({ thinking: "low" });
    let requests = 0;
    const failure = error();
    const base = async (): Promise<WireResponse> => {
      requests += 1;
      throw failure;
    };
    await expect(responsesWire.send(responsesWire.context2msg(TALK, io), base, io)).rejects.toBe(failure);
    expect(requests).toBe(1);
  });

  it("is not corrected for ever: the second refusal of one request stands", async () => {
    const io = wireContext({ thinking: "low" });
    let requests = 0;
    const base = async (): Promise<WireResponse> => {
      requests += 1;
      throw refused(400, { error: { message: "reasoning.effort", param: "reasoning.effort" } });
    };
    const sending = responsesWire.send(responsesWire.context2msg(TALK, io), base, io);
    await expect(sending).rejects.toMatchObject({ kind: "provider", status: 400 });
    expect(requests).toBe(2);
  });
});

describe("OpenAI in the environment", () => {
  const url = "https://api.openai.com/v1";
  it.each([
    { why: "no key", environment: {}, found: {} },
    { why: "a blank key", environment: { OPENAI_API_KEY: " " }, found: {} },
    {
      why: "a key",
      environment: { OPENAI_API_KEY: "sk" },
      found: { openai: { url, auth: { type: "api_key", token: "sk" } } },
    },
    {
      why: "a key and a base URL",
      environment: { OPENAI_API_KEY: "sk", OPENAI_BASE_URL: "http://gate/v1" },
      found: { openai: { url: "http://gate/v1", auth: { type: "api_key", token: "sk" } } },
    },
  ])("is found from $why", ({ environment, found }) => {
    expect(OpenAI.detectEnvironment(environment)).toEqual(found);
  });
});

const OK: WireResponse = { status: 200, headers: {}, body: (async function* () {})() };

function refused(status: number, body: unknown): IOError {
  return new IOError("provider", `HTTP ${status}`, { status, body });
}

function user(...content: Message["content"]): Message {
  return { type: MessageType.user, content };
}

function request(
  context: readonly Message[],
  io: Parameters<typeof wireContext>[0] = {},
): Readonly<Record<string, unknown>> {
  const [, body] = responsesWire.context2msg(context, wireContext(io));
  return isObject(body) ? body : {};
}

function refusalOf(context: readonly Message[]): unknown {
  try {
    request(context);
  } catch (error) {
    if (isIOError(error)) return error;
    throw error;
  }
  return "nothing was refused";
}
