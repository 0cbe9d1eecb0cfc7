/** Each node before those below it, with how deep it stands; as deep as you like. */
export function* depthFirst<Node>(
  roots: readonly Node[],
  below: (node: Node) => readonly Node[],
): Generator<{ readonly node: Node; readonly depth: number }, void, undefined> {
  const waiting = roots.toReversed().map((node) => ({ node, depth: 0 }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next;
    for (const node of below(next.node).toReversed()) waiting.push({ node, depth: next.depth + 1 });
  }
}
