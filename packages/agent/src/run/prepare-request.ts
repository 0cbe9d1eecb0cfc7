import { isMessage, type Message, MessageType, messageSystem } from "@ashlar/context";
import { AgentError } from "../agent-error.js";
import { AGENT_EVENT } from "../agent-events.js";
import type { PollPoint, PreparedInput, UnneededInput } from "../loop/loop-step.js";
import type { QueueExit, QueueKind } from "../queue/message-queue.js";
import { expandMessage } from "./expand-message.js";
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
  // What models are told of skills is as it was seen last.
  await host.content.skills();
  meter.reset();
  const messages = context.messages();
  for (const { content } of messages) ids.learn(content);
  const begun = messages.some(({ type }) => type === MessageType.system || type === MessageType.assistant);
  if (begun) return;
  const texts = await host.systemPrompt();
  if (texts.length > 0) context.prepend(messageSystem(texts.join("\n\n")));
}

export interface PrepareParts {
  readonly at: PollPoint;
  /** Takes the system texts that wait. */
  readonly takeTexts: () => readonly string[];
  readonly signal: AbortSignal;
}

/** Lets waiting input and system texts join the context, and measures the request to come. */
export async function prepareRequest(
  host: RunHost,
  { at, takeTexts, signal }: PrepareParts,
): Promise<PreparedInput | UnneededInput> {
  const { context, meter } = host;
  const received = await joinQueued(host, at, signal);
  // Nobody is to be asked any more, or what was there when the model stopped was taken back since.
  if (!received && (signal.aborted || at === "stop")) return { type: "unneeded" };
  const systemTexts = takeTexts();
  for (const text of systemTexts) context.append(messageSystem(text));
  if (!hasPrompt(context.at(-1)) && !context.messages().some(hasPrompt)) {
    throw new AgentError("usage", "There is nothing to answer: send a message before run().", {
      argument: "send",
    });
  }
  // Of a conversation that is kept, whatever was changed since is committed as well.
  if (received || systemTexts.length > 0 || context.stored) await context.flush();
  const tokens = meter.measure(context, host.descriptors());
  return { type: "prepared", tokens, window: host.window(), received, policy: host.policy };
}

/** Says whether any message joined. */
async function joinQueued(host: RunHost, at: PollPoint, signal: AbortSignal): Promise<boolean> {
  const { context } = host;
  if (await join(host, "steer", signal)) return true;
  if (signal.aborted) return false;
  // A failed response that nobody replied to is not worth sending.
  context.errorPop();
  const stopped = at === "stop" || (at === "start" && isAnswered(context));
  return stopped && (await join(host, "followUp", signal));
}

/** A message leaves the queue once it is in the context, so that a prompt or a store that fails loses none. */
async function join(host: RunHost, kind: QueueKind, signal: AbortSignal): Promise<boolean> {
  const { context, content, queue, emitter } = host;
  const exit: QueueExit = {
    store: (message) => context.append(message),
    tell: (message) => emitter.signal(AGENT_EVENT.SENT_MESSAGE, message),
  };
  // More may be sent while a prompt is read.
  while (queue.isUnexpanded(kind)) {
    await queue.expand(kind, (message) => expandMessage(message, (text) => content.promptExpand(text)));
  }
  // What waits keeps waiting when the run was cancelled meanwhile.
  return !signal.aborted && queue.drain(kind, exit);
}

/** The model has said its last word, or nobody has said anything yet. */
function isAnswered(context: RunHost["context"]): boolean {
  for (let position = context.length - 1; position >= 0; position -= 1) {
    const item = context.at(position);
    if (hasPrompt(item)) return isMessage(item) && item.type === MessageType.assistant;
  }
  return true;
}

function hasPrompt(item: unknown): boolean {
  return isMessage(item) && item.type !== MessageType.system;
}
