const DEFAULT_TAG = ":latest";

/** A model's name with its tag; `qwen3` is `qwen3:latest`. */
export function taggedName(name: string): string {
  const last = name.slice(name.lastIndexOf("/") + 1);
  return last.includes(":") ? name : `${name}${DEFAULT_TAG}`;
}

/** The name without the tag that may be left out; undefined when there is none. */
export function shortName(name: string): string | undefined {
  return name.endsWith(DEFAULT_TAG) ? name.slice(0, -DEFAULT_TAG.length) : undefined;
}
