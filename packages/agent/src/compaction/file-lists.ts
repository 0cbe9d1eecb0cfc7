import { type ContextItem, isMessage, MessageType } from "@ashlar/context";
import { isToolCall } from "../loop/answer.js";
import { isObject } from "../loop/json-object.js";
import type { FileLists } from "./summary-message.js";

/** Files of one list; the oldest go first. */
const MAX_FILES = 100;
/** A longer path is no help to a reader. */
const MAX_PATH_CHARACTERS = 300;

/** The standard tools that name one project file as `path`. */
const LIST_OF: Readonly<Record<string, keyof FileLists>> = {
  read: "read",
  write: "changed",
  edit: "changed",
};

/** Adds the files that successful calls of `items` read or changed. A changed file is no longer listed as read. */
export function collectFiles(items: readonly ContextItem[], before: FileLists): FileLists {
  const failed = failedCalls(items);
  const read = new Set(before.read);
  const changed = new Set(before.changed);
  for (const item of items) {
    if (!isMessage(item) || item.type !== MessageType.assistant) continue;
    for (const { callId, name, arguments: args } of item.content.filter(isToolCall)) {
      const path = isObject(args) ? args.path : undefined;
      if (typeof path !== "string" || path === "" || path.length > MAX_PATH_CHARACTERS) continue;
      if (failed.has(callId) || !Object.hasOwn(LIST_OF, name)) continue;
      const list = LIST_OF[name] === "read" ? read : changed;
      list.delete(path);
      list.add(path);
    }
  }
  const onlyRead = [...read].filter((path) => !changed.has(path));
  return { read: onlyRead.slice(-MAX_FILES), changed: [...changed].slice(-MAX_FILES) };
}

function failedCalls(items: readonly ContextItem[]): ReadonlySet<string> {
  const failed = new Set<string>();
  for (const item of items) {
    if (isMessage(item) && item.type === MessageType.toolResult && item.error === true)
      failed.add(item.callId);
  }
  return failed;
}
