import { type ContextError, isContextError } from "@ashlar/context";

/** The error of this package that an action throws; anything else fails the test. */
export function failureOf(action: () => unknown): ContextError {
  try {
    action();
  } catch (error) {
    if (isContextError(error)) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

export async function rejectionOf(promise: Promise<unknown>): Promise<ContextError> {
  try {
    await promise;
  } catch (error) {
    if (isContextError(error)) return error;
    throw error;
  }
  throw new Error("nothing was rejected");
}

/** Where malformed data was, as the error names it. */
export function placeOf(action: () => unknown): string | undefined {
  const { details } = failureOf(action);
  return "at" in details ? details.at : undefined;
}
