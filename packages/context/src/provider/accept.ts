import { ContextError } from "../context-error.js";
import { PROVIDER_CONTRACT, type ProviderClass } from "./contract.js";

/** Checks the contract number and the shape of a provider class and returns it. Throws kind `contract`, naming the class; doing it twice is harmless. */
export function accept(value: unknown, name?: string): ProviderClass {
  if (typeof value !== "function") {
    throw new ContextError("contract", `${name ?? "provider"}: expected a class`, {
      name: name ?? "provider",
    });
  }
  const shown = name ?? (value.name || "provider");
  if (!("contract" in value) || value.contract !== PROVIDER_CONTRACT) {
    throw new ContextError("contract", `${shown}: expected static contract = ${PROVIDER_CONTRACT}`, {
      name: shown,
    });
  }
  return value as ProviderClass;
}
