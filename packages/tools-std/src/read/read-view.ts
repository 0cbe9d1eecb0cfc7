import type { Block } from "@ashlar/context/tool";
import type { TextView } from "./text/text-view.js";

/** What one call shows: text, or a file as it is. */
export type ReadView =
  | (TextView & {
      /** Bare text stays bare: what has to be said about it comes in a block of its own. */
      readonly bare: boolean;
    })
  | { readonly blocks: readonly Block[] };
