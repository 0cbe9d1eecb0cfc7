import { ContextError } from "../context-error.js";
import { nameOfValue } from "../json.js";
import { PROVIDER_CONTRACT, type ProviderClass } from "./contract.js";
import { checkMembers } from "./members.js";
import { checkEndpoints, checkMetadata } from "./metadata.js";

const accepted = new WeakSet<object>();

/**
 * The one place that checks a provider class, its contract number and its shape, and freezes its metadata. Returns the class;
 * doing it twice is harmless. Throws kind `contract`, naming the class and what to do; `name` replaces the class's own.
 */
export function accept(value: unknown, name?: string): ProviderClass {
  if (!isClass(value)) {
    const shown = name ?? "provider";
    throw new ContextError(
      "contract",
      `${shown}: expected a class, got ${nameOfValue(value)}; pass what the provider package exports`,
      { name: shown },
    );
  }
  // Its number, its members and its metadata are checked once.
  const provider = value as object as ProviderClass;
  if (accepted.has(value)) return provider;
  const shown = name ?? (value.name || "provider");
  checkNumber(value.contract, shown);
  checkMembers(value, value.prototype, shown);
  checkMetadata(value.provider, shown);
  checkEndpoints(value.knownEndpoints, shown);
  freezeData(value.provider);
  freezeData(value.knownEndpoints);
  accepted.add(value);
  return provider;
}

interface UncheckedClass {
  readonly name: string;
  readonly prototype: object;
  readonly contract?: unknown;
  readonly provider?: unknown;
  readonly knownEndpoints?: unknown;
}

function isClass(value: unknown): value is UncheckedClass {
  if (typeof value !== "function") return false;
  const prototype: unknown = value.prototype;
  return typeof prototype === "object" && prototype !== null;
}

function checkNumber(contract: unknown, name: string): void {
  if (contract === PROVIDER_CONTRACT) return;
  const isNumber = typeof contract === "number";
  throw new ContextError(
    "contract",
    `${name}: ${problemWith(contract)}`,
    isNumber ? { name, contract } : { name },
  );
}

function problemWith(contract: unknown): string {
  if (typeof contract === "number" && contract > PROVIDER_CONTRACT) {
    return `it is written for provider contract ${contract}, and this release knows ${PROVIDER_CONTRACT}; update Ashlar or take an older release of the provider`;
  }
  if (contract === undefined) {
    return `it names no contract; its author adds "static readonly contract = ${PROVIDER_CONTRACT}"`;
  }
  return `expected contract = ${PROVIDER_CONTRACT}, got ${typeof contract === "number" ? contract : nameOfValue(contract)}; take a newer release of the provider`;
}

/** Freezes plain data all the way down; functions stay as they are. */
function freezeData(value: unknown): void {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const member of Object.values(value)) freezeData(member);
}
