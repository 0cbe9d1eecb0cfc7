import type { UserMessage } from "@ashlar/context";

/** A message whose text begins with the command of a prompt, with the prompt in its place; any other as it is. */
export async function expandMessage(
  message: UserMessage,
  expand: (text: string) => Promise<string>,
): Promise<UserMessage> {
  const [first, ...rest] = message.content;
  if (first?.type !== "text" || !first.text.startsWith("/")) return message;
  const text = await expand(first.text);
  return text === first.text ? message : { ...message, content: [{ ...first, text }, ...rest] };
}
