import { createHash } from "node:crypto";
import { isObject, type JsonValue } from "@ashlar/context";

/** A skill whose text a call brought into the conversation. */
export interface ActiveSkill {
  readonly name: string;
  readonly callId: string;
  /** Of the text as it was then. */
  readonly digest: string;
}

/** What is kept in a conversation. Reads any value: what is no such entry is left out. */
export function decodeActive(value: JsonValue | undefined): readonly ActiveSkill[] {
  const skills: unknown = isObject(value) ? value.skills : undefined;
  return Array.isArray(skills) ? skills.filter(isActive) : [];
}

export function encodeActive(skills: readonly ActiveSkill[]): JsonValue {
  return { skills: skills.map(({ name, callId, digest }) => ({ name, callId, digest })) };
}

/** The newer entry of a name takes the place of the older. */
export function withActive(
  before: readonly ActiveSkill[],
  added: readonly ActiveSkill[],
): readonly ActiveSkill[] {
  return [...before.filter(({ name }) => added.every((one) => one.name !== name)), ...added];
}

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function isActive(value: unknown): value is ActiveSkill {
  return (
    isObject(value) &&
    typeof value.name === "string" &&
    typeof value.callId === "string" &&
    typeof value.digest === "string"
  );
}
