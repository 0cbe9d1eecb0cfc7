import type { AuthRecord } from "@ashlar/context/provider";
import { isSettingsData, type SettingsData } from "../settings/settings-data.js";

/** What is stored for one endpoint. The credentials count for one origin only. */
export interface Credential {
  readonly auth: AuthRecord;
  /** Scheme, host and port that they were stored for. */
  readonly origin: string;
  /** The endpoint as it was logged in to, for endpoints that no settings describe. */
  readonly provider?: string;
  readonly url?: string;
}

const AUTH_TYPES: readonly string[] = ["api_key", "oauth", "bearer", "none"] satisfies AuthRecord["type"][];

/** The credential of one endpoint in a file's content, or what is wrong with it, in words without a value. */
export function decodeCredential(content: unknown, endpoint: string): Credential | string {
  if (!isSettingsData(content)) return "is not a JSON object";
  const entry = content[endpoint];
  if (!isSettingsData(entry)) return `has no key "${endpoint}" with an object`;
  const { auth, origin, provider, url } = entry;
  if (!isAuthRecord(auth)) return `${endpoint}.auth is not an object with a type of ${AUTH_TYPES.join(", ")}`;
  if (typeof origin !== "string" || origin === "")
    return `${endpoint}.origin, the server the credentials are for, is missing`;
  return {
    auth,
    origin,
    ...(typeof provider === "string" ? { provider } : {}),
    ...(typeof url === "string" ? { url } : {}),
  };
}

/** The content with the endpoint's credential put in or taken out; other keys stay. Undefined: nothing is left. */
export function withCredential(
  content: SettingsData,
  endpoint: string,
  credential: Credential | undefined,
): SettingsData | undefined {
  const { [endpoint]: old, ...others } = content;
  if (credential !== undefined) {
    return { ...others, [endpoint]: { ...(isSettingsData(old) ? old : {}), ...credential } };
  }
  return Object.keys(others).length === 0 ? undefined : others;
}

export function isAuthRecord(value: unknown): value is AuthRecord {
  if (!isSettingsData(value) || typeof value.type !== "string" || !AUTH_TYPES.includes(value.type))
    return false;
  return ["token", "refresh"].every((key) => value[key] === undefined || typeof value[key] === "string");
}

/** Texts that may never be shown. Short ones are no secrets and would blank out common words. */
export function secretsOf(auth: AuthRecord | undefined): readonly string[] {
  return [auth?.token, auth?.refresh].filter((text) => text !== undefined && text.length >= 6).map(String);
}
