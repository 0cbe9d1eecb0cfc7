import { isMessage, type Message, MessageType, messageSystem } from "@ashlar/context";
import { AgentError } from "../agent-error.js";
import { AGENT_EVENT } from "../agent-events.js";
import type { PreparedInput } from "../loop/loop-step.js";
import type { RunHost } from "./run-host.js";

/** Appends a message of the run and tells of it as it is stored. */
export function commitMessage<M extends Message>({ context, emitter }: RunHost, message: M): M {
  const position = context.append(message, { merge: false });
  const stored = context.at(position);
  // What was appended unmerged comes back as the same kind of message.
  const own = (stored ?? message) as M;
  emitter.signal(AGENT_EVENT.MESSAGE_COMMITTED, own);
  return own;
}

/** Everything that happens once before the first request of a run. */
export async function prepareRun(host: RunHost): Promise<void> {
  const { context, ids, meter } = host;
  meter.reset();
  const messages = context.messages();
  for (const { content } of messages) ids.learn(content);
  const begun = messages.some(({ type }) => type === MessageType.system || type === MessageType.assistant);
  if (begun) return;
  const texts = await host.systemPrompt();
  if (texts.length > 0) context.prepend(messageSystem(texts.join("\n\n")));
}

/** Lets waiting input and system texts join the context, and measures the request to come. */
export async function prepareRequest(host: RunHost, systemTexts: readonly string[]): Promise<PreparedInput> {
  const { context, queue, emitter, meter } = host;
  const received = queue.length > 0;
  // A message leaves the queue once it is in the context, so that a store that fails loses none.
  for (let message = queue.first; message !== undefined; message = queue.first) {
    context.append(message);
    queue.shift();
    emitter.signal(AGENT_EVENT.SENT_MESSAGE, message);
  }
  // A failed response that nobody replied to is not worth sending.
  if (!received) context.errorPop();
  for (const text of systemTexts) context.append(messageSystem(text));
  if (!hasPrompt(context.at(-1)) && !context.messages().some(hasPrompt)) {
    throw new AgentError("usage", "There is nothing to answer: send a message before run().", {
      argument: "send",
    });
  }
  if (received || systemTexts.length > 0) await context.flush();
  const tokens = meter.measure(context, host.descriptors());
  return { type: "prepared", tokens, window: host.window(), received };
}

function hasPrompt(item: unknown): boolean {
  return isMessage(item) && item.type !== MessageType.system;
}
