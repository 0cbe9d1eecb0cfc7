import { type Message, MessageType } from "@ashlar/context";

/** What a strict server would answer 400 to, in its words; empty for a request it takes. */
export function strictProblems(messages: readonly Message[]): readonly string[] {
  const problems = [...wordProblems(messages), ...messages.flatMap(messageProblems)];
  let open: string[] = [];
  messages.forEach((message, index) => {
    if (message.type === MessageType.toolResult) {
      if (open[0] !== message.callId)
        problems.push(`message ${index}: a result without its call directly before it`);
      open.shift();
      return;
    }
    if (open.length > 0)
      problems.push(`message ${index}: calls without results before it: ${open.join(", ")}`);
    open = callIds(message);
  });
  if (open.length > 0) problems.push(`the end: calls without results: ${open.join(", ")}`);
  return problems;
}

function callIds(message: Message): string[] {
  return message.content.flatMap((block) => (block.type === "toolCall" ? [block.callId] : []));
}

function messageProblems(message: Message, index: number): readonly string[] {
  const problems: string[] = [];
  if (typeof message.type !== "number") problems.push(`message ${index}: a record`);
  if ("display" in message) problems.push(`message ${index}: display`);
  const ids = callIds(message);
  if (new Set(ids).size !== ids.length) problems.push(`message ${index}: a repeated call id`);
  if (ids.includes("")) problems.push(`message ${index}: an empty call id`);
  const hasText = message.content.some((block) => block.type === "text" && block.text !== "");
  if (message.type === MessageType.assistant && !hasText && ids.length === 0) {
    problems.push(`message ${index}: an assistant message with neither text nor calls`);
  }
  if (message.type !== MessageType.toolResult && message.content.length === 0)
    problems.push(`message ${index}: empty`);
  return problems;
}

/** The request as it goes on the wire must be JSON whose strings are all well-formed. */
function wordProblems(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  JSON.parse(JSON.stringify(messages), (key, value: unknown) => {
    if (!isWellFormed(key)) problems.push(`a key that is not well-formed: ${JSON.stringify(key)}`);
    if (typeof value === "string" && !isWellFormed(value))
      problems.push(`not well-formed: ${JSON.stringify(value)}`);
    return value;
  });
  return problems;
}

/** Written without `isWellFormed`, which the code under test uses. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}
