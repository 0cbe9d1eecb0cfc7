// The floor: fetch, a line splitter and JSON.parse, on Ollama's wire or (variant `openai`) on Chat Completions.
const paths = { ollama: "/api/chat", openai: "/v1/chat/completions" };

export async function setup({ baseURL, variant = "ollama" }) {
  const url = baseURL + paths[variant];

  async function lines(body, signal, onLine) {
    const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body), signal });
    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      rest += decoder.decode(value, { stream: true });
      let start = 0;
      for (let end = rest.indexOf("\n"); end !== -1; end = rest.indexOf("\n", start)) {
        if (end > start) onLine(rest.slice(start, end));
        start = end + 1;
      }
      rest = rest.slice(start);
    }
  }

  function ollamaFrame(line, answer, onDelta) {
    const { message } = JSON.parse(line);
    if (message?.content) {
      answer.text += message.content;
      onDelta?.(message.content);
    }
    if (message?.tool_calls) answer.calls.push(...message.tool_calls);
  }

  function openaiFrame(line, answer, onDelta) {
    if (!line.startsWith("data: ") || line === "data: [DONE]") return;
    const delta = JSON.parse(line.slice(6)).choices[0]?.delta;
    if (delta?.content) {
      answer.text += delta.content;
      onDelta?.(delta.content);
    }
    for (const part of delta?.tool_calls ?? []) {
      answer.calls[part.index] ??= { id: part.id, type: "function", function: { name: part.function.name, arguments: "" } };
      answer.calls[part.index].function.arguments += part.function.arguments;
    }
  }

  const take = variant === "ollama" ? ollamaFrame : openaiFrame;
  async function chat(body, { onDelta, signal } = {}) {
    const answer = { text: "", calls: [] };
    await lines({ stream: true, ...body }, signal, (line) => take(line, answer, onDelta));
    return answer;
  }

  const described = (tools) => tools.map(({ name, description, schema }) => ({ type: "function", function: { name, description, parameters: schema } }));
  const argumentsOf = (call) => (variant === "ollama" ? call.function.arguments : JSON.parse(call.function.arguments));
  const resultOf = (call, content) =>
    variant === "ollama" ? { role: "tool", tool_name: call.function.name, content } : { role: "tool", tool_call_id: call.id, content };

  return {
    stream: ({ model, prompt, onDelta, signal }) => chat({ model, messages: [{ role: "user", content: prompt }] }, { onDelta, signal }),
    async agent({ model, prompt, tools, maxRounds }) {
      const messages = [{ role: "user", content: prompt }];
      const byName = new Map(tools.map((tool) => [tool.name, tool]));
      for (let round = 0; round < maxRounds; round += 1) {
        const { text, calls } = await chat({ model, messages, tools: described(tools) });
        if (calls.length === 0) return { text };
        messages.push({ role: "assistant", content: text, tool_calls: calls });
        const results = await Promise.all(calls.map((call) => byName.get(call.function.name).run(argumentsOf(call))));
        results.forEach((result, index) => messages.push(resultOf(calls[index], result)));
      }
      throw new Error(`no answer within ${maxRounds} rounds`);
    },
    idle: (messages, tools) => ({ messages, tools: described(tools) }),
  };
}
