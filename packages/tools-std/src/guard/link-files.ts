import type { Files } from "@ashlar/context/tool";

/** Files that can also say where a link points; without it, a link to something missing is refused unnamed. */
export interface LinkFiles extends Files {
  readonly readlink?: (path: string) => Promise<string>;
}
