import type { DoneEvent, ErrorEvent, Message, TerminalEvent, Usage } from "@ashlar/context";
import type { ClassifiedError, WireContext } from "@ashlar/context/provider";
import type { CompleteInstance, CompleteProvider } from "../complete-provider.js";
import { classifyError, depletionError, isRequestKind } from "../failure/classify.js";
import { type ReadOptions, readFrames, readResponse } from "./read-response.js";
import { createSendBase, type SendBaseOptions } from "./send-base.js";

export interface AttemptOptions
  extends Omit<ReadOptions, "instance" | "framing">,
    Omit<SendBaseOptions, "onHeaders" | "framing" | "signal"> {
  readonly provider: CompleteProvider;
  readonly context: readonly Message[];
  /** The request is on its way; what follows is reading. */
  readonly onReading: () => void;
}

/** How a request ended, before its terminal event is completed. */
export type Ending =
  | { readonly done: DoneEvent }
  | { readonly failure: ClassifiedError; readonly usage: Usage | undefined };

/** Sends one request and reads its response. Rejects only with what the sink threw. */
export async function attempt(options: AttemptOptions): Promise<Ending> {
  let instance: CompleteInstance | undefined;
  options.receiver.begin();
  try {
    instance = options.provider.create(options.io.url, options.io);
    const terminal = await exchange(instance, options);
    if (terminal.type === "done") return { done: terminal };
    return { failure: verdict(errorOf(terminal), instance, options), usage: terminal.usage };
  } catch (error) {
    // The sink's own failure is no failure of the request.
    if (options.receiver.delivering) throw error;
    return { failure: verdict(error, instance, options), usage: undefined };
  } finally {
    await closeInstance(instance, options);
  }
}

async function exchange(instance: CompleteInstance, options: AttemptOptions): Promise<TerminalEvent> {
  const { context, io, interruption, provider, onReading } = options;
  const { framing } = provider;
  const message = instance.context2msg(context, io);
  const base = createSendBase({
    ...options,
    framing,
    signal: interruption.signal,
    onHeaders: (headers) => reportQuota(instance, headers, io),
  });
  const sending = async () => instance.send(message, base);
  const response = await interruption.wait(sending());
  onReading();
  const { read } = instance;
  if (response !== undefined) return readResponse(response, { ...options, instance, framing });
  if (read !== undefined) return readFrames(() => read.call(instance), { ...options, instance, framing });
  throw new TypeError("The provider's send returned no response, and it has no read of its own.");
}

/** An error event of the connector as an error, for the verdict on it. */
function errorOf({
  error,
  kind = "provider",
  status,
  retryAfterMs,
  contextOverflow,
  retryable,
}: ErrorEvent): Error {
  return Object.assign(new Error(String(error)), { kind, status, retryAfterMs, contextOverflow, retryable });
}

/** A provider's mistake in reading quota headers costs the quota, not the answer. */
function reportQuota(
  instance: CompleteInstance,
  headers: Readonly<Record<string, string>>,
  io: WireContext,
): void {
  try {
    instance.reportPlanUsage?.(headers, io);
  } catch (error) {
    io.warn(`The provider could not read the quota headers: ${classifyError(error).message}`);
  }
}

/** The shared verdict, refined by the provider; what stopped the request from outside is never reinterpreted. */
function verdict(
  error: unknown,
  instance: CompleteInstance | undefined,
  { interruption, io }: Pick<AttemptOptions, "interruption" | "io">,
): ClassifiedError {
  if (interruption.reason !== undefined) return classifyError(interruption.reason);
  try {
    const refined = instance?.classifyError?.(error, classifyError);
    const classified = isRequestKind(refined?.kind)
      ? { ...classifyError(error), ...refined }
      : classifyError(error);
    if (classified.kind !== "provider") return classified;
    const depleted = instance?.depletionError?.(classified, depletionError) ?? depletionError(classified);
    return depleted ? spent(classified) : classified;
  } catch (mistake) {
    io.warn(`The provider could not classify an error: ${classifyError(mistake).message}`);
    return classifyError(error);
  }
}

/** A budget that is used up is not there again after a wait. */
function spent({ retryAfterMs: _wait, ...classified }: ClassifiedError): ClassifiedError {
  return { ...classified, retryable: false };
}

/** A close that hangs may not hold up a cancel. */
const CLOSE_MS = 250;

async function closeInstance(
  instance: CompleteInstance | undefined,
  { io, clock }: AttemptOptions,
): Promise<void> {
  if (instance?.close === undefined) return;
  let cancel = (): void => undefined;
  const bound = new Promise<void>((resolve) => {
    cancel = clock.after(CLOSE_MS, resolve);
  });
  const close = async (): Promise<void> => instance.close?.();
  try {
    await Promise.race([close(), bound]);
  } catch (error) {
    io.warn(`The provider failed to close: ${classifyError(error).message}`);
  } finally {
    cancel();
  }
}
