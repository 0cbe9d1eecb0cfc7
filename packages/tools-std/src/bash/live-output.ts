import { cutStart } from "../text-cut.js";

/** Characters of one call that viewers get while it runs; a flood is no use to them. */
const MAX_LIVE = 50_000;

/** Hands text on to viewers until there was enough of it, and says so once. */
export function liveOutput(onData: (chunk: string) => void): (text: string) => void {
  let left = MAX_LIVE;
  return (text) => {
    if (text === "" || left <= 0) return;
    const part = cutStart(text, left);
    left -= text.length;
    onData(part);
    if (left <= 0) onData("\n[more output is not shown live]\n");
  };
}
