/** For provider translators: numbers content blocks densely, in the order in which their keys on the wire first appear. */
export type ContentIndexer = (key: string | number) => number;

export function createContentIndexer(): ContentIndexer {
  const indexes = new Map<string | number, number>();
  return (key) => {
    const known = indexes.get(key);
    if (known !== undefined) return known;
    const next = indexes.size;
    indexes.set(key, next);
    return next;
  };
}
