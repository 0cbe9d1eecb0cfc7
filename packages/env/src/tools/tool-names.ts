import { nearestName } from "@ashlar/context";

const MAX_LISTED = 60;

/** What a caller is told that named a tool which does not exist. `names` are those that may be called. */
export function unknownToolText(name: string, names: readonly string[]): string {
  const nearest = nearestName(name, names);
  const hint = nearest === undefined ? "" : ` Did you mean ${JSON.stringify(nearest)}?`;
  if (names.length === 0) return `There is no tool ${JSON.stringify(name)}, and no other tool either.`;
  const listed = names.slice(0, MAX_LISTED).join(", ");
  const rest = names.length > MAX_LISTED ? ` and ${names.length - MAX_LISTED} more` : "";
  return `There is no tool ${JSON.stringify(name)}.${hint} The tools are: ${listed}${rest}.`;
}
