const REVISION: unique symbol = Symbol.for("ashlar.toolRevision") as never;
const shared = globalThis as { [REVISION]?: number };

/** The number of the latest tool refresh. A tool module stamps the imports of its helpers with it, so that a refresh reloads them. */
export function toolRevision(): number {
  return shared[REVISION] ?? 0;
}

/** For hosts: starts a new revision before tool modules are imported again. */
export function nextToolRevision(): number {
  shared[REVISION] = toolRevision() + 1;
  return shared[REVISION];
}
