import { ContextError } from "../context-error.js";
import { nameOfValue } from "../json.js";
import { hintFor } from "../nearest-name.js";
import type { ProviderClass, ProviderInstance } from "./contract.js";

/** A type with its article, as an error names it. */
type Kind = "a number" | "an object" | "a boolean" | "a function";

/** The public members of contract 1. Frozen: what a later contract adds gets a table of its own. */
const STATIC_MEMBERS: Readonly<Record<Exclude<keyof ProviderClass, "prototype">, Kind>> = {
  contract: "a number",
  provider: "an object",
  knownEndpoints: "an object",
  detectEnvironment: "a function",
  detect: "a function",
  detectEnvironmentOnly: "a boolean",
  models: "a function",
  testConnection: "a function",
  login: "a function",
};

const INSTANCE_MEMBERS: Readonly<Record<keyof ProviderInstance, Kind>> = {
  context2msg: "a function",
  send: "a function",
  read: "a function",
  msg2events: "a function",
  close: "a function",
  reportPlanUsage: "a function",
  classifyError: "a function",
  depletionError: "a function",
};

/** What every class has: none of the author's. */
const OF_EVERY_FUNCTION = ["length", "name", "prototype", "arguments", "caller"];

/** Checks the members of a class and of its base classes. Throws kind `contract` for one that is unknown, of the wrong type, or half of a pair. */
export function checkMembers(provider: object, prototype: object, name: string): void {
  const statics = membersOf(provider, isAuthored, OF_EVERY_FUNCTION);
  const members = membersOf(prototype, isNotRoot, ["constructor"]);
  const staticPlace = (member: string): string => `${name}.${member}`;
  for (const [member, found] of statics)
    checkMember({ member, found, known: STATIC_MEMBERS, place: staticPlace(member), name });
  for (const [member, found] of members) {
    checkMember({ member, found, known: INSTANCE_MEMBERS, place: `${name}.prototype.${member}`, name });
  }
  checkPair(statics, {
    half: "detectEnvironmentOnly",
    other: "detectEnvironment",
    name,
    why: "there is nothing to repeat",
  });
  checkPair(members, {
    half: "read",
    other: "send",
    name,
    why: "the built-in send hands its response to the built-in reader",
  });
}

type Members = ReadonlyMap<string, PropertyDescriptor>;

/** Own public members of an object and of what it inherits from, nearest first. */
function membersOf(start: object, counts: (object: object) => boolean, ignored: readonly string[]): Members {
  const members = new Map<string, PropertyDescriptor>();
  let object: object | null = start;
  while (object !== null && counts(object)) {
    for (const [member, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(object))) {
      if (member.startsWith("_") || ignored.includes(member) || members.has(member)) continue;
      members.set(member, descriptor);
    }
    object = parentOf(object);
  }
  return members;
}

function parentOf(object: object): object | null {
  const parent: unknown = Object.getPrototypeOf(object);
  return (typeof parent === "object" || typeof parent === "function") && parent !== null ? parent : null;
}

/** A class; `Function.prototype`, which all of them inherit from, is none. */
function isAuthored(object: object): boolean {
  return Object.hasOwn(object, "prototype");
}

function isNotRoot(object: object): boolean {
  return parentOf(object) !== null;
}

interface Found {
  readonly member: string;
  readonly found: PropertyDescriptor;
  readonly known: Readonly<Record<string, Kind>>;
  readonly place: string;
  readonly name: string;
}

function checkMember({ member, found, known, place, name }: Found): void {
  const kind = Object.hasOwn(known, member) ? known[member] : undefined;
  if (kind === undefined) {
    const hint = hintFor(member, Object.keys(known));
    const problem = `${place}: no member of the provider contract${hint}; start private names with _ or #`;
    throw new ContextError("contract", problem, { name, member });
  }
  // An accessor is asked when it is used, not here.
  if (found.get !== undefined || found.value === undefined) return;
  if (!kind.endsWith(` ${typeof found.value}`)) {
    throw new ContextError("contract", `${place}: expected ${kind}, got ${nameOfValue(found.value)}`, {
      name,
      member,
    });
  }
}

interface Pair {
  readonly half: string;
  readonly other: string;
  readonly name: string;
  readonly why: string;
}

function checkPair(members: Members, { half, other, name, why }: Pair): void {
  if (!members.has(half) || members.has(other)) return;
  const problem = `${name}.${half}: it needs ${other} beside it on the class (${why}); define both or neither`;
  throw new ContextError("contract", problem, { name, member: half });
}
