import { accept } from "./accept.js";
import type { ProviderClass, ProviderInstance } from "./contract.js";

/** Names of functions on a class that the contract does not know. */
type StrayStatic<Class> = {
  [Key in Exclude<keyof Class, keyof ProviderClass | "prototype" | `_${string}`>]: Class[Key] extends (
    ...input: never
  ) => unknown
    ? Key
    : never;
}[Exclude<keyof Class, keyof ProviderClass | "prototype" | `_${string}`>];

type StrayMember<Instance> = {
  [Key in Exclude<keyof Instance, keyof ProviderInstance | `_${string}`>]: Instance[Key] extends (
    ...input: never
  ) => unknown
    ? Key
    : never;
}[Exclude<keyof Instance, keyof ProviderInstance | `_${string}`>];

type Stray<Class extends ProviderClass> = StrayStatic<Class> | StrayMember<InstanceType<Class>>;

/** The class itself, or, for one with members that the contract does not know, a type that names them. */
export type DefinedProvider<Class extends ProviderClass> = [Stray<Class>] extends [never]
  ? Class
  : { readonly "no member of the provider contract; start private names with _ or #": Stray<Class> };

/** Returns the class, typed and checked. Throws kind `contract` for a member that the contract does not know, half of a pair, or metadata that is wrong. */
export function defineProvider<Class extends ProviderClass>(provider: Class & DefinedProvider<Class>): Class {
  accept(provider);
  return provider;
}
