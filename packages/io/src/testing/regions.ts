import { stringsIn } from "./request-body.js";

/** The texts that mark a call and its result in a request. */
export interface MarkedPair {
  readonly call: string;
  readonly result: string;
}

/**
 * The string that ties each of two results to its own call, whatever the wire calls the field: it stands beside the call
 * and beside the result, and beside neither of the other pair. Undefined when a pair has none.
 */
export function pairingIds(
  body: unknown,
  first: MarkedPair,
  second: MarkedPair,
): readonly [string, string] | undefined {
  const regions = [first.call, first.result, second.call, second.result].map((marker, _, markers) =>
    valuesOf(regionOf(body, marker, markers)),
  );
  const [firstCall, firstResult, secondCall, secondResult] = regions;
  if (!firstCall || !firstResult || !secondCall || !secondResult) return undefined;
  const own = (
    call: ReadonlySet<string>,
    result: ReadonlySet<string>,
    others: readonly ReadonlySet<string>[],
  ) => [...call].find((id) => result.has(id) && !others.some((other) => other.has(id)));
  const firstId = own(firstCall, firstResult, [secondCall, secondResult]);
  const secondId = own(secondCall, secondResult, [firstCall, firstResult]);
  return firstId === undefined || secondId === undefined ? undefined : [firstId, secondId];
}

/** The largest part of a JSON value that holds `marker` and none of the other markers; undefined unless it holds it once. */
export function regionOf(value: unknown, marker: string, markers: readonly string[] = []): unknown {
  const others = markers.filter((other) => other !== marker);
  let region: unknown = value;
  for (;;) {
    const text = JSON.stringify(region);
    if (text === undefined || text.split(marker).length !== 2) return undefined;
    if (!others.some((other) => text.includes(other))) return region;
    if (typeof region !== "object" || region === null) return undefined;
    region = Object.values(region).find((member) => JSON.stringify(member)?.includes(marker));
  }
}

function valuesOf(region: unknown): ReadonlySet<string> | undefined {
  return region === undefined ? undefined : new Set(stringsIn(region).map(({ text }) => text));
}
