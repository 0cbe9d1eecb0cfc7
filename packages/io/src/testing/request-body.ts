import { expectThat } from "./expectation.js";
import type { ReplayedRequest } from "./replay-server.js";

/** The body of a request as JSON. */
export function parsedBody(request: ReplayedRequest | undefined): unknown {
  expectThat(request !== undefined, "a request", "none");
  try {
    return JSON.parse(request.body);
  } catch (error) {
    expectThat(
      false,
      "a request body in JSON",
      `${error instanceof Error ? error.message : error}: ${request.body}`,
    );
  }
}

/** Every string in a JSON value, keys included, with its place. */
export function stringsIn(
  value: unknown,
  place = "body",
): readonly { readonly place: string; readonly text: string }[] {
  if (typeof value === "string") return [{ place, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    { place: `the key ${place}.${key}`, text: key },
    ...stringsIn(member, `${place}.${key}`),
  ]);
}
