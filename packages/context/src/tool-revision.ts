const REVISION: unique symbol = Symbol.for("ashlar.toolRevision");
// The number belongs to the process, not to one copy of this module: a global symbol keeps it.
const shared = globalThis as { [REVISION]?: number };

/** The number of the latest tool refresh. A tool module stamps the imports of its helpers with it, so that a refresh reloads them. */
export function toolRevision(): number {
  return shared[REVISION] ?? 0;
}

/** For hosts: starts a new revision before tool modules are imported again. */
export function nextToolRevision(): number {
  const next = toolRevision() + 1;
  shared[REVISION] = next;
  return next;
}
