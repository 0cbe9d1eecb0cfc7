import { contentText, messageUser, type UserMessage } from "@ashlar/context";
import type { ResultEvent } from "../loop/stream-event.js";

/** What a run of a child has come to, as its parent reads it: a user message headed by the child's name. */
export function workerAnswer(name: string, result: ResultEvent): UserMessage {
  const { status, kind, error = kind, message } = result;
  const text = message === undefined ? "" : contentText(message).trim();
  if (status === "cancelled") return workerMessage(name, "was cancelled", text);
  if (status === "failed") return workerMessage(name, `did not finish (${kind}: ${error})`, text);
  return workerMessage(name, "answered", text === "" ? "(no text)" : text);
}

/** For a run that could not begin. */
export function workerFailure(name: string, error: string): UserMessage {
  return workerMessage(name, `did not start (${error})`, "");
}

function workerMessage(name: string, what: string, text: string): UserMessage {
  const head = `Worker ${name} ${what}${text === "" ? "." : ":"}`;
  return messageUser(text === "" ? head : `${head}\n\n${text}`, { worker: name });
}
