import { isObject } from "@ashlar/context";

/** What a strict server finds wrong with a request body of one of the two wires; empty when it would take it. */
export function complaints(body: unknown): readonly string[] {
  const text = JSON.stringify(body);
  const decoded: unknown = JSON.parse(text);
  const found = illFormed(decoded, "body");
  if (!isObject(decoded)) return [...found, "the body is no object"];
  if (Array.isArray(decoded.messages)) return [...found, ...chatComplaints(decoded.messages)];
  if (Array.isArray(decoded.input)) return [...found, ...responsesComplaints(decoded.input)];
  return [...found, "the body has neither messages nor input"];
}

function chatComplaints(messages: readonly unknown[]): readonly string[] {
  const found: string[] = [];
  let open: string[] = [];
  for (const [i, message] of messages.entries()) {
    if (!isObject(message)) return [`messages[${i}] is no object`];
    if (message.role !== "tool" && open.length > 0)
      found.push(`messages[${i}]: no result for ${open.join(", ")}`);
    if (message.role === "tool") {
      const at = open.indexOf(String(message.tool_call_id));
      if (at === -1) found.push(`messages[${i}]: a result without its call`);
      open.splice(at, at === -1 ? 0 : 1);
      if (typeof message.content !== "string") found.push(`messages[${i}]: a result that is no text`);
      continue;
    }
    open = [];
    if (message.role !== "assistant") {
      if (isBlank(message.content)) found.push(`messages[${i}]: nothing in it`);
      continue;
    }
    const calls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isObject) : [];
    if (calls.length === 0 && isBlank(message.content)) found.push(`messages[${i}]: neither text nor calls`);
    open = calls.map((call) => String(call.id));
    if (new Set(open).size < open.length) found.push(`messages[${i}]: an id twice`);
    for (const call of calls) {
      if (!isObject(call.function) || !isObjectText(call.function.arguments))
        found.push(`messages[${i}]: arguments are no object`);
    }
  }
  return open.length > 0 ? [...found, `no result for ${open.join(", ")}`] : found;
}

function responsesComplaints(input: readonly unknown[]): readonly string[] {
  const found: string[] = [];
  const calls = new Set<string>();
  const results = new Set<string>();
  for (const [i, item] of input.entries()) {
    if (!isObject(item)) return [`input[${i}] is no object`];
    const id = String(item.call_id);
    if (item.type === "message" && isBlank(item.content)) found.push(`input[${i}]: nothing in it`);
    if (item.type === "function_call") {
      if (calls.has(id)) found.push(`input[${i}]: an id twice`);
      if (!isObjectText(item.arguments)) found.push(`input[${i}]: arguments are no object`);
      calls.add(id);
    }
    if (item.type === "function_call_output") {
      if (!calls.has(id) || results.has(id)) found.push(`input[${i}]: a result without its call`);
      results.add(id);
    }
    const next = input[i + 1];
    const isLed = isObject(next) && (next.type !== "message" || next.role === "assistant");
    if (item.type === "reasoning" && !isLed) found.push(`input[${i}]: reasoning that led to nothing`);
  }
  for (const id of calls) if (!results.has(id)) found.push(`no result for ${id}`);
  return found;
}

function illFormed(value: unknown, place: string): readonly string[] {
  if (typeof value === "string") return /\p{Surrogate}/u.test(value) ? [`${place}: half a character`] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => illFormed(entry, `${place}.${key}`));
}

function isBlank(content: unknown): boolean {
  return (
    content === null ||
    content === undefined ||
    content === "" ||
    (Array.isArray(content) && content.length === 0)
  );
}

function isObjectText(value: unknown): boolean {
  if (typeof value !== "string") return false;
  const parsed: unknown = JSON.parse(value);
  return isObject(parsed);
}
