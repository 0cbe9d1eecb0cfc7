/** True for an object that is no array. As in `@ashlar/context`, which a worker must not wait for. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
