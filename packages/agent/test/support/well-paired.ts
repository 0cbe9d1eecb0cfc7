import { type Message, MessageType } from "@ashlar/context";

/** What a strict server would refuse in a request: a result without its call directly before it, a call without its result. */
export function pairingProblems(messages: readonly Message[]): readonly string[] {
  const problems: string[] = [];
  let open: string[] = [];
  messages.forEach((message, index) => {
    if (message.type === MessageType.toolResult) {
      if (open[0] !== message.callId) problems.push(`message ${index}: a result without its call before it`);
      open.shift();
      return;
    }
    if (open.length > 0)
      problems.push(`message ${index}: calls without results before it: ${open.join(", ")}`);
    open = message.content.flatMap((block) => (block.type === "toolCall" ? [block.callId] : []));
  });
  if (open.length > 0) problems.push(`the end: calls without results: ${open.join(", ")}`);
  return problems;
}
