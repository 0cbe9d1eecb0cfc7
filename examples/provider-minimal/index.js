import { defineProvider } from "@ashlar/context/provider";

export const Minimal = defineProvider(
  class Minimal {
    static contract = 1;
    static provider = {
      label: "Minimal",
      capabilities: { streaming: true, thinking: [], tools: true },
      framing: "ndjson",
    };

    static async models({ url, fetch, signal }) {
      const response = await fetch(`${url}/models`, { signal });
      if (!response.ok) throw Object.assign(new Error("no model list"), { status: response.status });
      return (await response.json()).models;
    }

    #url;
    #blocks = 0;
    #inText = false;
    #ended = false;
    constructor(url) {
      this.#url = url;
    }

    context2msg(context, io) {
      const headers = io.auth?.token ? { authorization: `Bearer ${io.auth.token}` } : {};
      return [headers, { model: io.model, turns: context.map(turnOf), tools: io.tools }];
    }

    send([headers, body], base) {
      return base({ url: `${this.#url}/chat`, headers, body });
    }

    msg2events(frame) {
      if (frame === null || this.#ended) return [];
      this.#ended = frame.error !== undefined || frame.end !== undefined;
      const events = this.#textEvents(frame.text);
      if (frame.call !== undefined) events.push(...callEvents(this.#blocks++, frame.call));
      if (this.#ended) events.push(terminalOf(frame));
      return events;
    }

    #textEvents(text) {
      const wasOpen = this.#inText;
      this.#inText = text !== undefined;
      if (!this.#inText) return wasOpen ? [{ type: "text_end", contentIndex: this.#blocks - 1 }] : [];
      const start = wasOpen ? [] : [{ type: "text_start", contentIndex: this.#blocks++ }];
      return [...start, { type: "text_delta", contentIndex: this.#blocks - 1, text }];
    }
  },
);

function turnOf({ type, content, callId }) {
  const who = ["", "system", "user", "model", "tool"][type];
  const calls = content.filter((block) => block.type === "toolCall");
  const asked = calls.map((block) => ({ id: block.callId, name: block.name, input: block.arguments }));
  return { who, call: callId, text: content.map(textOf).filter(Boolean).join("\n\n"), calls: asked };
}

function textOf(block) {
  if (block.type === "text") return block.text;
  if (block.type === "thinking" || block.type === "toolCall") return "";
  throw Object.assign(new Error(`Minimal sends no ${block.type} blocks`), { kind: "malformed" });
}

function callEvents(contentIndex, { id, name, json }) {
  return [
    { type: "tool_call_start", contentIndex, callId: id, name },
    { type: "tool_call_delta", contentIndex, arguments: json },
    { type: "tool_call_end", contentIndex },
  ];
}

function terminalOf({ error, end, tokens }) {
  if (error !== undefined) return { type: "error", error, kind: "provider" };
  const usage = tokens && { inputTokens: tokens.in, outputTokens: tokens.out, source: "provider" };
  return { type: "done", doneReason: end, ...(usage && { usage }) };
}
