import type { SessionInfo } from "@ashlar/context";

/** A session with those that came from it. */
export interface Family {
  readonly info: SessionInfo;
  readonly descendants: readonly Family[];
}

interface Growing {
  readonly info: SessionInfo;
  readonly descendants: Growing[];
}

/** Puts sessions under those they came from, in the order they were given; what came from none of them is a root. */
export function familiesOf(infos: readonly SessionInfo[]): readonly Family[] {
  const byId = new Map<string, Growing>(infos.map((info) => [info.id, { info, descendants: [] }]));
  const roots: Growing[] = [];
  for (const member of byId.values()) {
    const parent = byId.get(member.info.parent?.session ?? "");
    if (parent === undefined || comesFrom(parent, member, byId)) roots.push(member);
    else parent.descendants.push(member);
  }
  return roots;
}

/** True when `member` is among those that `start` came from: a ring, which only damaged data has. */
function comesFrom(start: Growing, member: Growing, byId: ReadonlyMap<string, Growing>): boolean {
  const seen = new Set<Growing>();
  for (
    let current: Growing | undefined = start;
    current !== undefined && !seen.has(current);
    current = byId.get(current.info.parent?.session ?? "")
  ) {
    if (current === member) return true;
    seen.add(current);
  }
  return false;
}
