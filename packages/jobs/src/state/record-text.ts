import { isRecord } from "../task/plain-value.js";
import type { Attempt, AttemptEnd, Claim, Outcome, RunRecord } from "./attempt.js";
import { type Owner, readOwner } from "./owner.js";

const VERSION = 1;

const OUTCOMES: readonly Outcome[] = [
  "completed",
  "failed",
  "blocked",
  "cancelled",
  "timed-out",
  "interrupted",
  "archive-unconfirmed",
  "stale",
];

/** A claim as its file says it. */
export interface SignedAttempt {
  readonly attempt: Attempt;
  /** Absent: nobody signed it. */
  readonly owner?: Owner;
}

export function writeClaim(attempt: Attempt, owner: Owner): string {
  return text({ version: VERSION, ...attempt, owner });
}

/** Undefined for what is no claim, such as the beginning of one. */
export function readClaim(json: string): SignedAttempt | undefined {
  const value = parse(json);
  const attempt = readAttempt(value);
  if (attempt === undefined || value === undefined) return undefined;
  const owner = readOwner(value.owner);
  return owner === undefined ? { attempt } : { attempt, owner };
}

export function writeEnd(number: string, end: AttemptEnd): string {
  return text({ version: VERSION, number, ...end });
}

export function readEndFile(json: string): AttemptEnd | undefined {
  const value = parse(json);
  return value === undefined ? undefined : readEnd(value);
}

export function writeNumber(number: string): string {
  return text({ version: VERSION, number });
}

export function readNumber(json: string): string | undefined {
  const number = parse(json)?.number;
  return typeof number === "string" ? number : undefined;
}

/** `outcome` is `prepared` until the attempt ends. */
export function writeRun({ attempt, number }: Claim, archive: string, end?: AttemptEnd): string {
  return text({ version: VERSION, number, ...attempt, ...(end ?? { archive, outcome: "prepared" }) });
}

export function readRun(json: string): RunRecord | undefined {
  const value = parse(json);
  const attempt = readAttempt(value);
  if (attempt === undefined || typeof value?.number !== "string") return undefined;
  const end = readEnd(value);
  return { attempt, number: value.number, ...(end !== undefined && { end }) };
}

export function writeAnchor(taskId: string, schedule: string, anchor: number): string {
  return text({ version: VERSION, taskId, schedule, anchor });
}

export function readAnchor(json: string): number | undefined {
  const anchor = parse(json)?.anchor;
  return typeof anchor === "number" && Number.isFinite(anchor) ? anchor : undefined;
}

function readEnd(value: Readonly<Record<string, unknown>>): AttemptEnd | undefined {
  const { endedAt, archive, error, exitCode } = value;
  const outcome = OUTCOMES.find((known) => known === value.outcome);
  if (outcome === undefined || typeof endedAt !== "number") return undefined;
  return {
    outcome,
    endedAt,
    ...(typeof archive === "string" && { archive }),
    ...(typeof error === "string" && { error }),
    ...(typeof exitCode === "number" && { exitCode }),
  };
}

function readAttempt(value: Readonly<Record<string, unknown>> | undefined): Attempt | undefined {
  if (value === undefined) return undefined;
  const { id, occurrence, slot, taskId, filename, once, scheduledAt, claimedAt, session, timeoutMs } = value;
  if (typeof id !== "string" || typeof occurrence !== "string" || typeof slot !== "string") return undefined;
  if (typeof taskId !== "string" || typeof filename !== "string" || typeof once !== "boolean")
    return undefined;
  if (typeof scheduledAt !== "number" || typeof claimedAt !== "number" || typeof session !== "string")
    return undefined;
  const facts = { id, occurrence, slot, taskId, filename, once, scheduledAt, claimedAt, session };
  return typeof timeoutMs === "number" ? { ...facts, timeoutMs } : facts;
}

function parse(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : undefined;
  } catch {
    // Not ours, or cut: the caller treats it as nothing.
    return undefined;
  }
}

function text(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
