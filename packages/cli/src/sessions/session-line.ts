import type { SessionInfo } from "@ashlar/context";
import { isoMinute } from "../export/item-parts.js";
import { visibleLine } from "../terminal-text.js";
import { isChild } from "./find-session.js";

/** A session on one line: id, last change, what it is called, what it is. Nothing in it steers a terminal. */
export function sessionLine(info: SessionInfo, { showProject }: { readonly showProject: boolean }): string {
  const { id, updated, name, preview, cwd, parent } = info;
  const title = name ?? preview;
  const relation = isChild(info) ? "child of" : "fork of";
  const marks = [
    ...(parent === undefined ? [] : [`${relation} ${visibleLine(parent.session)}`]),
    ...(showProject ? [cwd === undefined ? "no project" : visibleLine(cwd)] : []),
  ];
  return [
    visibleLine(id),
    isoMinute(updated),
    title === undefined ? "(nothing said yet)" : visibleLine(title),
    ...(marks.length === 0 ? [] : [`(${marks.join(", ")})`]),
  ].join("  ");
}
