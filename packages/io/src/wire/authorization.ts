import type { AuthRecord } from "@ashlar/context/provider";

/** The header that carries the credentials; none without a token. */
export function authorization(auth: AuthRecord | undefined): Readonly<Record<string, string>> {
  return auth?.token === undefined || auth.token === "" ? {} : { authorization: `Bearer ${auth.token}` };
}
