import { type Context, createAssembler, messageUser, type ResponseEvent, requestView } from "@ashlar/context";

/** One turn of a conversation: the question joins it, `send` streams the response to what a request may carry, the answer joins too. */
export async function turn(
  context: Context,
  question: string,
  send: (messages: ReturnType<typeof requestView>) => AsyncIterable<ResponseEvent>,
): Promise<void> {
  context.append(messageUser(question));
  const assembler = createAssembler();
  context.seal();
  for await (const event of send(requestView(context.items()))) assembler.push(event);
  context.append(assembler.message());
  await context.flush();
}
