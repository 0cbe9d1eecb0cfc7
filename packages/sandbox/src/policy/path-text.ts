/** True for `folder` itself and everything below it. Both are absolute and normalised. */
export const isAtOrBelow = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === "/" ? "/" : `${folder}/`);

/** 0 for `/`, 2 for `/a/b`. */
export const depthOf = (path: string): number => (path === "/" ? 0 : path.split("/").length - 1);

/** The folders strictly between the two, outermost first. */
export function foldersBetween(outer: string, inner: string): readonly string[] {
  const names = inner.slice(outer === "/" ? 1 : outer.length + 1).split("/");
  const base = outer === "/" ? "" : outer;
  return names.slice(0, -1).map((_name, index) => `${base}/${names.slice(0, index + 1).join("/")}`);
}

/** `/`, `/a`, `/a/b` for `/a/b`. */
export const prefixesOf = (path: string): readonly string[] =>
  path === "/" ? ["/"] : ["/", ...foldersBetween("/", path), path];
