import { isObject, own } from "./plain-object.js";

/**
 * What a `$ref` of this schema points at, or undefined. Knows `#`, JSON pointers and anchors of the same document;
 * nothing is ever fetched.
 */
export function resolveReference(root: unknown, reference: string): unknown {
  const fragment = localFragment(root, reference);
  if (fragment === undefined) return undefined;
  if (fragment === "") return root;
  if (!fragment.startsWith("/")) return findAnchor(root, fragment);
  let at: unknown = root;
  for (const part of fragment.slice(1).split("/")) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (Array.isArray(at)) at = /^\d+$/.test(key) ? at[Number(key)] : undefined;
    else if (isObject(at)) at = own(at, key);
    else return undefined;
  }
  return at;
}

function localFragment(root: unknown, reference: string): string | undefined {
  const hash = reference.indexOf("#");
  const base = hash < 0 ? reference : reference.slice(0, hash);
  const fragment = hash < 0 ? "" : reference.slice(hash + 1);
  if (base !== "" && !(isObject(root) && base === root.$id)) return undefined;
  try {
    return decodeURIComponent(fragment);
  } catch {
    // A stray percent sign: the fragment is no URI fragment, so it points at nothing.
    return undefined;
  }
}

function findAnchor(root: unknown, name: string): unknown {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const at = open.pop();
    if (Array.isArray(at)) open.push(...at);
    else if (isObject(at)) {
      if (at.$anchor === name || at.$dynamicAnchor === name) return at;
      open.push(...Object.values(at));
    }
  }
  return undefined;
}
